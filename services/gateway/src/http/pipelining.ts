import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many pipelined requests may wait for the response before them; the connection of more is closed. */
export const MAX_PIPELINED = 32;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Starts a pipelined request only when the response before it on its connection has ended. Node would start all of them
 * at once, and emits `close` for the current response alone when the client leaves: the others would run for ever.
 */
export function serializePipelined(app: RequestListener): RequestListener {
  const busy = new WeakSet<Socket>();
  const queues = new WeakMap<Socket, Exchange[]>();

  const start = ({ request, response }: Exchange) => {
    response.on('close', startNext);
    app(request, response);
  };

  // One function for all responses: `once` and a function for each would keep 600 bytes of every open stream.
  function startNext(this: ServerResponse): void {
    const { socket } = this.req;
    const next = queues.get(socket)?.shift();
    // A response without a socket cannot be sent: the connection has closed, or closes after this response.
    if (next?.response.socket) return start(next);
    busy.delete(socket);
    queues.delete(socket);
  }

  return (request, response) => {
    const { socket } = request;
    // Node parses what it has read even if the connection was closed in the meantime.
    if (socket.destroyed) return;
    if (!busy.has(socket)) {
      busy.add(socket);
      start({ request, response });
      return;
    }
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    if (queue.push({ request, response }) > MAX_PIPELINED) socket.destroy();
  };
}
