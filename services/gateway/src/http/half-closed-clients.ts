import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The first bytes of every answer, whatever will come of the request: Node answers in HTTP/1.1 to all. */
const BEGINNING = 'HTTP/1.1 ';
const FIRST_WAIT_MS = 250;

/**
 * Answers clients that close their side of the connection behind the request and go on reading. A client that has gone
 * altogether looks the same, and may have left a run to cancel: the answer is begun, byte by byte at growing distances,
 * and where the client is not there any more the second byte fails. All clients can read an answer that comes in pieces;
 * an interim answer (102, or 100) is unknown to HTTP/1.0 and not expected by many that speak HTTP/1.1.
 * For a server with `httpAllowHalfOpen`; an answer that has been begun says by itself whether it is read.
 */
export function answerHalfClosed(app: RequestListener): RequestListener {
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
  // What is no whole request has been refused, and the connection closed behind that.
  const isOver = () => response.closed || response.headersSent || !socket.writable;
  if (isOver()) return;
  const write = socket.write.bind(socket);
  let begun = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = (waitMs: number) => {
    if (isOver() || begun === BEGINNING.length) return;
    write(BEGINNING.charAt(begun));
    begun += 1;
    timer = setTimeout(() => next(2 * waitMs), waitMs).unref();
  };
  // The first piece that the response itself writes begins with its status line.
  socket.write = (piece: string | Uint8Array, ...rest: never[]) => {
    clearTimeout(timer);
    Reflect.deleteProperty(socket, 'write');
    return write(piece.slice(begun), ...rest);
  };
  response.once('close', () => clearTimeout(timer));
  next(FIRST_WAIT_MS);
}
