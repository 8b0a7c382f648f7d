import { InvalidInput } from '@quire/shared/errors';
import type { RequestHandler } from 'express';

export const MAX_HEADER_BYTES = 16 * 1024;
export const MAX_HEADERS = 100;

/** Node would leave out the headers beyond its limit in silence, and with them perhaps what the caller relied on. */
export const limitHeaders: RequestHandler = (req, _res, next) => {
  if (req.rawHeaders.length / 2 > MAX_HEADERS) {
    throw new InvalidInput('HEADERS_TOO_LARGE', `Send at most ${MAX_HEADERS} headers`);
  }
  // Node's own refusal has no body, so it is turned off.
  if (req.httpVersion === '1.1' && req.headers.host === undefined) {
    throw new InvalidInput('INVALID_REQUEST', 'The Host header is missing');
  }
  next();
};
