import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests may wait behind one that is being answered; whoever sends more is cut off. */
export const MOST_WAITING = 32;

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Begins a request only when the one before it on its connection has been answered. Node begins all that a client sends
 * ahead, and tells only the one that is being answered when the client goes: the others would be served for ever.
 */
export function oneAtATime(app: RequestListener): RequestListener {
  const busy = new WeakSet<Socket>();
  const lines = new WeakMap<Socket, Waiting[]>();

  const begin = ({ request, response }: Waiting) => {
    response.on('close', beginNext);
    app(request, response);
  };

  // One function for all responses: `once` and a function for each would keep 600 bytes of every open stream.
  function beginNext(this: ServerResponse): void {
    const { socket } = this.req;
    const next = lines.get(socket)?.shift();
    // Without a socket it will not be answered: the connection has closed, or does so behind this answer.
    if (next?.response.socket) return begin(next);
    busy.delete(socket);
    lines.delete(socket);
  }

  return (request, response) => {
    const { socket } = request;
    // Node goes on with what it has read, also where the connection was closed meanwhile.
    if (socket.destroyed) return;
    if (!busy.has(socket)) {
      busy.add(socket);
      begin({ request, response });
      return;
    }
    const line = lines.get(socket) ?? [];
    lines.set(socket, line);
    if (line.push({ request, response }) > MOST_WAITING) socket.destroy();
  };
}
