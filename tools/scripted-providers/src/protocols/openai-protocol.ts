import { STATUS_CODES } from 'node:http';
import { failWith } from '../behaviours/fault.js';
import type { Protocol } from './protocol.js';

export const openAiProtocol: Protocol = {
  errorBody({ status, message, code }) {
    const errorCode = code ?? (status === 429 ? 'rate_limit_exceeded' : null);
    return {
      error: {
        message: message ?? STATUS_CODES[status] ?? 'Scripted error',
        type: errorType(status, errorCode),
        param: null,
        code: errorCode,
      },
    };
  },
  wrongApiKey: () => failWith(401, { code: 'invalid_api_key', message: 'Incorrect API key provided.' }),
  unknownModel: (model) =>
    failWith(404, {
      code: 'model_not_found',
      message: `The model \`${model}\` does not exist or you do not have access to it.`,
    }),
  unknownPath: (method, path) => failWith(404, { message: `Invalid URL (${method} ${path})` }),
  invalidBody: (reason) => failWith(400, { message: reason }),
};

function errorType(status: number, code: string | null): string {
  if (code === 'insufficient_quota') return code;
  if (status === 429) return 'requests';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
