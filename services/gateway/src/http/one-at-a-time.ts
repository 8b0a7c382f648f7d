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
  const lines = new WeakMap<Socket, Waiting[]>();

  const begin = ({ request, response }: Waiting, line: Waiting[]) => {
    response.once('close', () => {
      const next = line.shift();
      // Without a socket it will not be answered: the connection has closed, or does so behind this answer.
      if (next?.response.socket) begin(next, line);
      else lines.delete(request.socket);
    });
    app(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    // Node goes on with what it has read, also where the connection was closed meanwhile.
    if (socket.destroyed) return;
    const line = lines.get(socket);
    if (!line) {
      const behind: Waiting[] = [];
      lines.set(socket, behind);
      begin({ request, response }, behind);
    } else if (line.push({ request, response }) > MOST_WAITING) socket.destroy();
  };
}
