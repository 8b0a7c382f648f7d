import { NotFound } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import express, { type Express, type RequestHandler } from 'express';
import { crossOrigin } from './cross-origin.js';
import { requestContext } from './request-context.js';
import { limitHeaders, requireLoopbackHost } from './request-headers.js';
import { securityHeaders } from './security-headers.js';
import { errorMiddleware } from './send-error.js';

export interface AppParts {
  /** Served without a key. */
  open: RequestHandler;
  /** Stands before `guarded`; absent: no key is needed, but the Host header has to name this machine. */
  authenticate: RequestHandler | undefined;
  guarded: RequestHandler;
  /** Web pages that may use the API from a browser. */
  corsOrigins?: readonly string[];
}

export function createApp(
  logger: Logger,
  { open, authenticate, guarded, corsOrigins = [] }: AppParts,
): Express {
  const app = express();
  // Otherwise Express sends the stack of an error that is thrown by the error middleware.
  app.set('env', 'production');
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestContext(logger), ...securityHeaders, ...crossOrigin(corsOrigins), limitHeaders);
  if (!authenticate) app.use(requireLoopbackHost);
  app.use(open);
  if (authenticate) app.use(authenticate);
  app.use(guarded);
  app.use(() => {
    throw new NotFound('NOT_FOUND', 'There is nothing at this address');
  });
  app.use(errorMiddleware);
  return app;
}
