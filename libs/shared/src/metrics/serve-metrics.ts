import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface MetricsServer {
  /** The given port, or a free one for 0. */
  readonly port: number;
  /** Also closes open connections; idempotent. */
  close(): Promise<void>;
}

/** Serves `GET /metrics` in Prometheus' text format. */
export async function serveMetrics(
  registry: Registry,
  { port, host }: { port: number; host: string },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url?.split('?', 1).join() === '/metrics') {
      void sendMetrics(registry, response);
    } else {
      response.writeHead(404).end();
    }
  });
  server.listen(port, host);
  await once(server, 'listening');

  let closed: Promise<unknown> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      if (!closed) {
        closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
      }
      await closed;
    },
  };
}

async function sendMetrics(registry: Registry, response: ServerResponse): Promise<void> {
  try {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  } catch {
    response.writeHead(500).end();
  }
}
