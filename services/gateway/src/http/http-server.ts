import { createServer, type RequestListener, type Server } from 'node:http';
import { timeBudgets } from '@quire/shared/time';
import type { Messages } from './express-messages.js';
import { answerHalfClosed } from './half-closed-clients.js';
import { oneAtATime } from './one-at-a-time.js';
import { answerProtocolErrors } from './protocol-errors.js';
import { MAX_HEADER_BYTES, MAX_HEADERS } from './request-headers.js';
import { cutOffStuckReaders, STUCK_READER_MS } from './stuck-readers.js';

export interface ConnectionLimits {
  /** From a connection's first byte to the end of the headers. */
  headersMs: number;
  /** To the end of the body. What is answered may take as long as it wants. */
  requestMs: number;
  checkEveryMs: number;
  /** How long a client may fetch nothing of an answer. */
  stuckReaderMs: number;
}

const connectionLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 2000,
  stuckReaderMs: STUCK_READER_MS,
};

/** An HTTP server that waits for nobody who is slow to ask or to read, and answers nothing without the envelope. */
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
    oneAtATime(answerHalfClosed(app)),
  );
  // Not in Node's documentation; without it Node closes a connection as soon as the client has closed its side.
  Object.assign(server, { httpAllowHalfOpen: true });
  // One more than is allowed, so that too many can be told from just enough.
  server.maxHeadersCount = MAX_HEADERS + 1;
  answerProtocolErrors(server);
  cutOffStuckReaders(server, limits.stuckReaderMs);
  return server;
}
