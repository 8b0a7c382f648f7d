import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { qdrantUrl } from '@quire/testkit';

export interface QdrantProxy {
  readonly url: string;
  /** The requests since the last call, as `POST /collections/…`. */
  takeRequests(): string[];
  /** Requests to such a path are not passed on until `release`. */
  hold(pathPart: string): void;
  release(): void;
  /** Requests that are held at present. */
  held(): number;
  close(): Promise<void>;
}

/** A proxy in front of the test's Qdrant that sees requests, where a TCP proxy sees bytes. */
export async function startQdrantProxy(): Promise<QdrantProxy> {
  const { hostname: host, port } = new URL(qdrantUrl());
  const waiting: Array<() => void> = [];
  let requests: string[] = [];
  let heldPart: string | undefined;
  const server = createServer((incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    requests.push(`${method} ${path}`);
    const pass = () => {
      const onward = request({ host, port, method, path, headers }, (upstream) => {
        response.writeHead(upstream.statusCode ?? 0, upstream.headers);
        upstream.pipe(response);
      });
      onward.on('error', () => response.destroy());
      incoming.pipe(onward);
    };
    if (heldPart !== undefined && path.includes(heldPart)) waiting.push(pass);
    else pass();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    hold(pathPart) {
      heldPart = pathPart;
    },
    release() {
      heldPart = undefined;
      for (const pass of waiting.splice(0)) pass();
    },
    held: () => waiting.length,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
