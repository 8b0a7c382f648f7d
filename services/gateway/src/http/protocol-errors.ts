import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorEnvelope } from '@quire/shared/contracts';
import { classifyError, InvalidInput } from '@quire/shared/errors';
import { watchForStalls } from './event-loop-stalls.js';

/** How long a client may take to read the refusal; closing at once could lose it. */
const LINGER_MS = 1000;
const RECHECK_MS = 1000;

/** Responds to what never becomes a request (broken HTTP, time-outs, CONNECT) in the envelope and closes the connection. */
export function respondToProtocolErrors(server: Server): void {
  /** The current response of a connection; those of pipelined requests wait. */
  const current = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  const requestedAt = new WeakMap<Duplex, number>();
  const hasStalled = watchForStalls(server);

  const refuse = (socket: Duplex, error: InvalidInput) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    // The client would take a second response for a part of the first.
    if (!socket.writable || current.get(socket)?.headersSent) return void socket.destroy();
    socket.end(encodeRefusal(error));
    const linger = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(linger));
  };

  /** After a stall of the event loop a request may be there that was not read yet. */
  const refuseIfMissing = (socket: Duplex, error: InvalidInput) => {
    const now = performance.now();
    setTimeout(() => {
      const hasArrived = (requestedAt.get(socket) ?? 0) > now || current.get(socket)?.req.complete;
      if (!hasArrived) refuse(socket, error);
    }, RECHECK_MS).unref();
  };

  // The same function for all responses: that of an open stream is kept for as long as it lasts.
  function removeCurrent(this: ServerResponse): void {
    // The next response becomes the current one before this one closes.
    if (current.get(this.req.socket) === this) current.delete(this.req.socket);
  }

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    requestedAt.set(socket, performance.now());
    if (response.socket) current.set(socket, response);
    else response.once('socket', () => current.set(socket, response));
    response.on('close', removeCurrent);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (isLate && hasStalled()) refuseIfMissing(socket, explain(error));
    else refuse(socket, explain(error));
  });
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
    refuse(socket, new InvalidInput('METHOD_NOT_ALLOWED', 'This server is no proxy'));
  });
  // An unknown expectation may be ignored; Node's own refusal of it has no body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

const problems: Record<string, ConstructorParameters<typeof InvalidInput>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'The headers of the request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'PAYLOAD_TOO_LARGE',
    'The chunk extensions of the request body are too large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request took too long to arrive'],
};

function explain({ code = '' }: NodeJS.ErrnoException): InvalidInput {
  return new InvalidInput(...(problems[code] ?? ['INVALID_REQUEST', 'The request is not valid HTTP']));
}

function encodeRefusal(error: InvalidInput): string {
  const { code, status, message } = classifyError(error);
  const envelope: ErrorEnvelope = { error_code: code, message, request_id: randomUUID() };
  const body = JSON.stringify(envelope);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${envelope.request_id}`,
    ...(status === 405 ? ['Allow: GET, HEAD, POST, PATCH, DELETE'] : []),
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
