import type { ErrorEnvelope } from '@quire/shared/contracts';
import { classifyError, InvalidInput, QuireError } from '@quire/shared/errors';
import type { ErrorRequestHandler, Response } from 'express';
import { contextOf } from './request-context.js';

/** Sends an error in the envelope that every error of this API has. */
export function sendError(res: Response, error: unknown, requestId = contextOf(res).requestId): void {
  const { code, status, message, retryAfterSeconds, details } = classifyError(error);
  const body: ErrorEnvelope = {
    error_code: code,
    message,
    request_id: requestId,
    ...(details && { details }),
  };
  if (retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(retryAfterSeconds));
  res.status(status).json(body);
}

export const errorMiddleware: ErrorRequestHandler = (thrown: unknown, _req, res, _next) =>
  sendThrown(res, thrown);

/** Sends the envelope for whatever was thrown; logs defects with their cause. */
export function sendThrown(res: Response, thrown: unknown): void {
  const error = fromBodyParser(thrown) ?? thrown;
  const { status, code } = classifyError(error);
  const { log } = contextOf(res);
  if (status === 500) log.error({ stage: 'gateway', error }, 'Unexpected error');
  else if (status > 500) log.warn({ stage: 'gateway', error_code: code, error }, 'Request refused');
  if (res.headersSent) {
    res.destroy();
    return;
  }
  sendError(res, error);
}

const bodyProblems: Record<string, ConstructorParameters<typeof InvalidInput>> = {
  'entity.too.large': ['PAYLOAD_TOO_LARGE', 'The request body is too large'],
  'entity.parse.failed': ['INVALID_REQUEST', 'The request body is not valid JSON'],
  'request.aborted': ['INVALID_REQUEST', 'The request body ended early'],
  'request.size.invalid': ['INVALID_REQUEST', 'Content-Length does not match the request body'],
  'encoding.unsupported': ['UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not supported'],
  'charset.unsupported': ['UNSUPPORTED_MEDIA_TYPE', 'The charset is not supported'],
};

/** Errors of the body parser and of URL decoding have a 4xx status and, mostly, a `type`. */
function fromBodyParser(error: unknown): QuireError | undefined {
  if (!(error instanceof Error) || error instanceof QuireError) return undefined;
  if ('type' in error && typeof error.type === 'string') {
    const known = bodyProblems[error.type];
    if (known) return new InvalidInput(...known);
  }
  if ('status' in error && typeof error.status === 'number' && error.status >= 400 && error.status < 500) {
    return new InvalidInput('INVALID_REQUEST', 'The request could not be read', { cause: error });
  }
  return undefined;
}
