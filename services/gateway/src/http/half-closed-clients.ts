import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The first bytes of every response: Node responds in HTTP/1.1 to every client. */
const FIRST_BYTES = 'HTTP/1.1 ';
const FIRST_WAIT_MS = 250;

/**
 * Serves clients that close their side of the connection after the request and go on reading. A client that has closed
 * the whole connection looks the same, and may have left a run to cancel. To tell them apart, the response's first bytes
 * are sent one by one at growing intervals: to a closed connection the second byte fails. Every client can read a response
 * in pieces; an interim response (102, or 100) is unknown to HTTP/1.0 and unexpected by many clients of HTTP/1.1.
 * For a server with `httpAllowHalfOpen`. Once a response has started, its own writes show whether the client is there.
 */
export function serveHalfClosed(app: RequestListener): RequestListener {
  const onTheWire = new WeakMap<Socket, ServerResponse>();

  function probeClient(this: Socket): void {
    const response = onTheWire.get(this);
    if (response && !response.closed) probe(this, response);
  }

  return (request, response) => {
    const { socket } = request;
    const isNew = !onTheWire.has(socket);
    onTheWire.set(socket, response);
    if (isNew) socket.on('end', probeClient);
    else if (socket.readableEnded) probe(socket, response);
    app(request, response);
  };
}

function probe(socket: Socket, response: ServerResponse): void {
  // An incomplete request was refused, and its connection is closed after the refusal.
  const isOver = () => response.closed || response.headersSent || !socket.writable;
  if (isOver()) return;
  const write = socket.write.bind(socket);
  let sent = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = (waitMs: number) => {
    if (isOver() || sent === FIRST_BYTES.length) return;
    write(FIRST_BYTES.charAt(sent));
    sent += 1;
    timer = setTimeout(() => next(2 * waitMs), waitMs).unref();
  };
  // The response's first write starts with its status line, of which some bytes were sent already.
  socket.write = (piece: string | Uint8Array, ...rest: never[]) => {
    clearTimeout(timer);
    Reflect.deleteProperty(socket, 'write');
    return write(piece.slice(sent), ...rest);
  };
  response.once('close', () => clearTimeout(timer));
  next(FIRST_WAIT_MS);
}
