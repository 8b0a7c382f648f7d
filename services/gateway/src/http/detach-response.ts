import type { Response } from 'express';
import { sendThrown } from './send-error.js';

/**
 * Lets a response last longer than its handler, which must return now. While a handler has not returned Express keeps
 * all middleware of the request, and the request keeps its headers and body: several KB per open stream, up to 270 KB.
 */
export function detachResponse(res: Response, serving: Promise<unknown>): void {
  const { req } = res;
  req.next = undefined;
  req.body = undefined;
  req.headers = {};
  req.rawHeaders = [];
  serving.catch((error: unknown) => sendThrown(res, error));
}
