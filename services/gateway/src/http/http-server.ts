import { createServer, type RequestListener, type Server } from 'node:http';
import { timeBudgets } from '@quire/shared/time';
import type { Messages } from './express-messages.js';
import { serveHalfClosed } from './half-closed-clients.js';
import { serializePipelined } from './pipelining.js';
import { respondToProtocolErrors } from './protocol-errors.js';
import { MAX_HEADER_BYTES, MAX_HEADERS } from './request-headers.js';
import { applySendTimeout, SEND_TIMEOUT_MS } from './send-timeout.js';

const connectionLimits = {
  /** From a connection's first byte to the end of the headers. */
  headersMs: 10_000,
  /** To the end of the body. The response has no limit. */
  requestMs: 30_000,
  checkEveryMs: 2000,
  /** How long a client may read nothing of its response. */
  sendTimeoutMs: SEND_TIMEOUT_MS,
};
export type ConnectionLimits = typeof connectionLimits;

/** An HTTP server with time limits for slow clients, whose every error response has the envelope. */
export function createHttpServer(
  app: RequestListener,
  limits = connectionLimits,
  messages: Partial<Messages> = {},
): Server {
  const server = createServer(
    {
      ...messages,
      keepAliveTimeout: timeBudgets.stream.keepAliveMs,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
    },
    serializePipelined(serveHalfClosed(app)),
  );
  // Not in Node's documentation; without it Node closes a connection as soon as the client has closed its side.
  Object.assign(server, { httpAllowHalfOpen: true });
  // One more than is allowed, so that `limitHeaders` sees when there are too many.
  server.maxHeadersCount = MAX_HEADERS + 1;
  respondToProtocolErrors(server);
  applySendTimeout(server, limits.sendTimeoutMs);
  return server;
}
