import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The classes of which an HTTP server makes its requests and responses. */
export interface Messages {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse<IncomingMessage>;
}

/**
 * Requests and responses that are Express' own from the start. Express gives those of Node another prototype, after which
 * V8 keeps a hidden class for each of them: 2 KB of every open stream.
 */
export function expressMessages(app: Express): Messages {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
