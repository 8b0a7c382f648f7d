import { randomUUID } from 'node:crypto';
import type { ApiKey } from '@quire/shared/database';
import type { Logger } from '@quire/shared/logging';
import type { RequestHandler, Response } from 'express';

/** Without authentication, which a loopback gateway alone may do, everybody is one caller of one tenant. */
const LOCAL = 'local';

const LOGGED_PATH_CHARACTERS = 200;

export interface RequestContext {
  /** Names this HTTP request; a question's run gets the same id. */
  requestId: string;
  tenant: string;
  /** Who of the tenant's: what stays of its key through all rotations. */
  caller: string;
  /** Absent where none is asked for. */
  apiKey?: ApiKey;
  log: Logger;
  /** Fires when the client has gone before it was answered. */
  clientGone: AbortSignal;
}

export function contextOf(res: Response): RequestContext {
  return res.locals['context'] as RequestContext;
}

/** Gives every request its id and logs how it ended. */
export function requestContext(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const requestId = randomUUID();
    const started = performance.now();
    const clientGone = new AbortController();
    const log = logger.child({ request_id: requestId });
    const who = { tenant: LOCAL, caller: LOCAL };
    const context: RequestContext = { requestId, ...who, log, clientGone: clientGone.signal };
    res.locals['context'] = context;
    res.setHeader('X-Request-Id', requestId);
    res.on('close', () => {
      if (!res.writableFinished) clientGone.abort();
      const level = req.path.startsWith('/health') ? 'debug' : 'info';
      log[level](
        {
          stage: 'response',
          method: req.method,
          path: req.path.slice(0, LOGGED_PATH_CHARACTERS),
          status: res.statusCode,
          latency_ms: Math.round(performance.now() - started),
          ...(clientGone.signal.aborted && { client_gone: true }),
        },
        'Request ended',
      );
    });
    next();
  };
}
