import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { failWith } from '../behaviours/fault.js';
import type { Protocol } from './protocol.js';

export const cohereProtocol: Protocol = {
  errorBody: ({ status, message }) => ({
    id: randomUUID(),
    message: message ?? STATUS_CODES[status]?.toLowerCase() ?? 'scripted error',
  }),
  wrongApiKey: () => failWith(401, { message: 'invalid api token' }),
  unknownModel: (model) =>
    failWith(404, {
      message: `model '${model}' not found, make sure the correct model ID was used and that you have access to the model.`,
    }),
  unknownPath: (method, path) => failWith(404, { message: `no such endpoint: ${method} ${path}` }),
  invalidBody: (reason) => failWith(400, { message: `invalid request: ${reason}` }),
};
