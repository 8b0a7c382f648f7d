import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Answers a function that ends the connections which have not carried a request yet. Clients open them ahead of need,
 * and `closeIdleConnections` leaves them: to Node only a connection between two requests is idle.
 */
export function trackUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => {
    for (const socket of unused) socket.destroy();
  };
}
