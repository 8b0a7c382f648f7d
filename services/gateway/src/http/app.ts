import { NotFound } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import express, { type Express, type Router } from 'express';
import { crossOrigin } from './cross-origin.js';
import { requestContext } from './request-context.js';
import { limitHeaders } from './request-headers.js';
import { securityHeaders } from './security-headers.js';
import { errorMiddleware } from './send-error.js';

export function createApp(
  logger: Logger,
  routers: readonly Router[],
  corsOrigins: readonly string[] = [],
): Express {
  const app = express();
  // Otherwise Express shows the stack of an error that even our error middleware could not answer.
  app.set('env', 'production');
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestContext(logger), ...securityHeaders, ...crossOrigin(corsOrigins), limitHeaders);
  for (const router of routers) app.use(router);
  app.use(() => {
    throw new NotFound('NOT_FOUND', 'There is nothing at this address');
  });
  app.use(errorMiddleware);
  return app;
}
