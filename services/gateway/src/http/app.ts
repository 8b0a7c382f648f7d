import { NotFound } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { requestContext } from './request-context.js';
import { errorMiddleware } from './send-error.js';

export interface AppParts {
  /** For everybody. */
  open: readonly Router[];
  /** Who may go on from there; absent: everybody. */
  authenticate: RequestHandler | undefined;
  guarded: readonly Router[];
}

export function createApp(logger: Logger, { open, authenticate, guarded }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestContext(logger));
  for (const router of open) app.use(router);
  if (authenticate) app.use(authenticate);
  for (const router of guarded) app.use(router);
  app.use(() => {
    throw new NotFound('NOT_FOUND', 'There is nothing at this address');
  });
  app.use(errorMiddleware);
  return app;
}
