import { InvalidInput } from '@quire/shared/errors';
import express, { type Request, type Response } from 'express';

/** Room for 20,000 selected characters in their longest JSON form, and the other fields. */
const BODY_LIMIT = '256kb';

/** Reads the body into `req.body`; refuses what is not declared as one of the types, too large, too deep or no JSON. */
export function jsonBodyReader(
  types: readonly string[] = ['application/json'],
): (req: Request, res: Response) => Promise<void> {
  const parser = express.json({ limit: BODY_LIMIT, type: [...types] });
  return async (req, res) => {
    if (req.is([...types]) === false || req.headers['content-type'] === undefined) {
      throw new InvalidInput('UNSUPPORTED_MEDIA_TYPE', `Send the request body as ${types.join(' or ')}`);
    }
    readFromHalfClosed(req);
    await new Promise<void>((resolve, reject) => {
      parser(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
    const problem = problemOfJson(req.body);
    if (problem) throw new InvalidInput('INVALID_REQUEST', `The request body ${problem}`);
  };
}

/**
 * The parser takes the body of a client that has closed its side of the connection for one that was read already. It may
 * be unread: the key is looked up first, or an earlier request of the connection was served first.
 */
function readFromHalfClosed(req: Request): void {
  // What the parser's `on-finished` looks at first.
  if (!req.socket.readable) Object.defineProperty(req, 'writableEnded', { get: () => req.readableEnded });
}

/** Deeper than any contract; recursion over it is safe. */
const MAX_DEPTH = 32;

/**
 * Checks for every body. A field named `__proto__` is an ordinary one when it comes out of the parser, but becomes the
 * prototype of an object that it is copied to by assignment.
 */
function problemOfJson(value: unknown, levels = MAX_DEPTH): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `must not be nested deeper than ${MAX_DEPTH} levels`;
  if (Object.hasOwn(value, '__proto__')) return 'must not have a field named __proto__';
  for (const item of Object.values(value)) {
    const problem = problemOfJson(item, levels - 1);
    if (problem) return problem;
  }
  return undefined;
}
