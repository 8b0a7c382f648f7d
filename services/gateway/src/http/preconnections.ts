import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Returns a function that closes the connections without a request so far. Clients open them ahead of need, and
 * `closeIdleConnections` skips them: to Node only a connection between two requests is idle.
 */
export function trackPreconnections(server: Server): () => void {
  const unused = new Set<Socket>();
  function forget(this: Socket): void {
    unused.delete(this);
  }
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.on('close', forget);
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => {
    for (const socket of unused) socket.destroy();
  };
}
