import type { Response } from 'express';
import { answerThrown } from './send-error.js';

/**
 * Lets a response last longer than its handler. Express keeps all middleware of a request while its handler has not
 * returned, and the request keeps its headers and its body: several KB of each open stream, up to 270 KB.
 */
export function outliveHandler(res: Response, serving: Promise<unknown>): void {
  const { req } = res;
  req.next = undefined;
  req.body = undefined;
  req.headers = {};
  req.rawHeaders = [];
  serving.catch((error: unknown) => answerThrown(res, error));
}
