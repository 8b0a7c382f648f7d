import { InvalidInput } from '@quire/shared/errors';
import express, { type RequestHandler } from 'express';
import { problemOfJson } from './json-shape.js';

/** Room for 20,000 selected characters in their longest JSON form, and the other fields. */
const BODY_LIMIT = '256kb';

const requireJsonType: RequestHandler = (req, _res, next) => {
  if (req.is('application/json') === false || req.headers['content-type'] === undefined) {
    throw new InvalidInput('UNSUPPORTED_MEDIA_TYPE', 'Send the request body as application/json');
  }
  next();
};

const requirePlainShape: RequestHandler = (req, _res, next) => {
  const problem = problemOfJson(req.body);
  if (problem) throw new InvalidInput('INVALID_REQUEST', `The request body ${problem}`);
  next();
};

export const jsonBody: RequestHandler[] = [
  requireJsonType,
  express.json({ limit: BODY_LIMIT }),
  requirePlainShape,
];
