import { randomUUID } from 'node:crypto';
import type { ApiKey } from '@quire/shared/database';
import type { Logger } from '@quire/shared/logging';
import type { RequestHandler, Response } from 'express';

/** The one tenant and caller of a gateway without authentication, which is allowed on loopback alone. */
const LOCAL = 'local';

const LOGGED_PATH_CHARACTERS = 200;

/** The request's id, tenant and key. A stream keeps its context for as long as it is open, so it holds little. */
export class RequestContext {
  /** A question's run gets the same id. */
  readonly requestId: string = randomUUID();
  tenant = LOCAL;
  /** Stays the same when the key is rotated. */
  caller = LOCAL;
  /** Undefined without authentication. */
  apiKey: ApiKey | undefined;
  readonly startedAt = performance.now();
  private gone: AbortController | undefined;

  constructor(
    private readonly res: Response,
    private readonly logger: Logger,
  ) {}

  get log(): Logger {
    return this.logger.child({ request_id: this.requestId });
  }

  get isClientGone(): boolean {
    return this.res.closed && !this.res.writableFinished;
  }

  /** Fires when the client has closed the connection before the end of its response. */
  get clientGone(): AbortSignal {
    if (!this.gone) {
      this.gone = new AbortController();
      if (this.isClientGone) this.gone.abort();
    }
    return this.gone.signal;
  }

  /** To be called on the response's `close`. */
  end(): void {
    if (this.isClientGone) this.gone?.abort();
  }
}

export function contextOf(res: Response): RequestContext {
  return res.locals['context'] as RequestContext;
}

/** Gives every request its context and logs its end. */
export function requestContext(logger: Logger): RequestHandler {
  return (_req, res, next) => {
    const context = new RequestContext(res, logger);
    res.locals['context'] = context;
    res.setHeader('X-Request-Id', context.requestId);
    res.on('close', endContext);
    next();
  };
}

function endContext(this: Response): void {
  const context = contextOf(this);
  context.end();
  const { path, method } = this.req;
  const level = path.startsWith('/health') ? 'debug' : 'info';
  context.log[level](
    {
      stage: 'response',
      method,
      path: path.slice(0, LOGGED_PATH_CHARACTERS),
      status: this.statusCode,
      latency_ms: Math.round(performance.now() - context.startedAt),
      ...(context.isClientGone && { client_gone: true }),
    },
    'Request ended',
  );
}
