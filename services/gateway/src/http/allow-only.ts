import { InvalidInput } from '@quire/shared/errors';
import type { RequestHandler } from 'express';

/** For a path that exists, but not with this method. */
export function allowOnly(...methods: string[]): RequestHandler {
  return (_req, res) => {
    res.setHeader('Allow', methods.join(', '));
    throw new InvalidInput('METHOD_NOT_ALLOWED', `This address takes only ${methods.join(' and ')}`);
  };
}
