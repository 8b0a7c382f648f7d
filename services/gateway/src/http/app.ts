import { NotFound } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import express, { type Express, type Router } from 'express';
import { requestContext } from './request-context.js';
import { errorMiddleware } from './send-error.js';

export function createApp(logger: Logger, routers: readonly Router[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestContext(logger));
  for (const router of routers) app.use(router);
  app.use(() => {
    throw new NotFound('NOT_FOUND', 'There is nothing at this address');
  });
  app.use(errorMiddleware);
  return app;
}
