import { InvalidInput } from '@quire/shared/errors';
import express, { type RequestHandler } from 'express';
import { problemOfJson } from './json-shape.js';

/** Room for 20,000 selected characters in their longest JSON form, and the other fields. */
const BODY_LIMIT = '256kb';

const requireType = (types: string[]): RequestHandler => {
  const problem = `Send the request body as ${types.join(' or ')}`;
  return (req, _res, next) => {
    if (req.is(types) === false || req.headers['content-type'] === undefined) {
      throw new InvalidInput('UNSUPPORTED_MEDIA_TYPE', problem);
    }
    next();
  };
};

/**
 * The parser skips the body of a client that has closed its side of the connection, as if it had been read before. It may
 * well be unread: behind the look-up of a key, or behind the answer to the request before it.
 */
const readFromHalfClosed: RequestHandler = (req, _res, next) => {
  // What the parser's `on-finished` looks at first.
  if (!req.socket.readable) Object.defineProperty(req, 'writableEnded', { get: () => req.readableEnded });
  next();
};

const requirePlainShape: RequestHandler = (req, _res, next) => {
  const problem = problemOfJson(req.body);
  if (problem) throw new InvalidInput('INVALID_REQUEST', `The request body ${problem}`);
  next();
};

const bodyOf = (...types: string[]): RequestHandler[] => [
  requireType(types),
  readFromHalfClosed,
  express.json({ limit: BODY_LIMIT, type: types }),
  requirePlainShape,
];

export const jsonBody = bodyOf('application/json');
/** Clients may say that they know what is done with it (RFC 7396). */
export const mergePatchBody = bodyOf('application/json', 'application/merge-patch+json');
