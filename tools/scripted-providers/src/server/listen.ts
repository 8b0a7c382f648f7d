import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Exchange } from './exchange.js';

const KEEP_ALIVE_MS = 60_000;

export interface Listener {
  origin: string;
  /** Ends every connection, stalled ones included; safe to call again. */
  close: () => Promise<void>;
}

export async function listen(port: number, serve: (exchange: Exchange) => Promise<void>): Promise<Listener> {
  const open = new Set<Exchange>();
  const server = createServer((request, response) => {
    const exchange = new Exchange(request, response);
    open.add(exchange);
    response.once('close', () => open.delete(exchange));
    void serve(exchange);
  });
  // Longer than clients keep a socket, so that no client reuses one that is being closed.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  let closed: Promise<void> | undefined;
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      closed ??= closeAll(server, open);
      return closed;
    },
  };
}

/** A server is closed before its responses emit `close`, so they are awaited separately. */
async function closeAll(server: Server, open: Set<Exchange>): Promise<void> {
  const ended = [...open].map((exchange) => exchange.untilClosed());
  const stopped = once(server, 'close');
  server.close();
  for (const exchange of open) exchange.drop();
  server.closeAllConnections();
  await Promise.all([stopped, ...ended]);
}
