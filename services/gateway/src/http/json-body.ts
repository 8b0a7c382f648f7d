import { InvalidInput } from '@quire/shared/errors';
import express, { type RequestHandler } from 'express';

/** Room for 20,000 selected characters in their longest JSON form, and the other fields. */
const BODY_LIMIT = '256kb';

const requireJsonType: RequestHandler = (req, _res, next) => {
  if (req.is('application/json') === false || req.headers['content-type'] === undefined) {
    throw new InvalidInput('UNSUPPORTED_MEDIA_TYPE', 'Send the request body as application/json');
  }
  next();
};

export const jsonBody: RequestHandler[] = [requireJsonType, express.json({ limit: BODY_LIMIT })];
