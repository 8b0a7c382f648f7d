import { AccessDenied, InvalidInput } from '@quire/shared/errors';
import type { RequestHandler } from 'express';
import { isLoopback } from '../auth/is-loopback.js';

export const MAX_HEADER_BYTES = 16 * 1024;
export const MAX_HEADERS = 100;

/** Node drops the headers beyond its limit silently, perhaps ones that the caller relies on. */
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

/**
 * For a gateway without authentication. A web page can let its own domain name resolve to this machine, and the browser
 * then takes the gateway for the page's own server (DNS rebinding); but the Host header still has the page's name.
 */
export const requireLoopbackHost: RequestHandler = (req, _res, next) => {
  if (req.headers.host !== undefined && !namesLoopback(req.headers.host)) {
    throw new AccessDenied(
      'FORBIDDEN',
      'Without authentication only requests to localhost are allowed, so that no web page can read the data of this gateway; set AUTH=on to use another host name',
    );
  }
  next();
};

function namesLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, '');
  return name === '[::1]' || name.endsWith('.localhost') || isLoopback(name);
}
