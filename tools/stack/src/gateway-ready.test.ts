import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { asksForKeys } from './gateway-ready.js';

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each<[string, boolean, RequestListener]>([
  ['refuses callers without a key', true, (_request, response) => response.writeHead(401).end()],
  ['has nothing there', false, (_request, response) => response.writeHead(404).end()],
  [
    'refuses callers without a key, while its stores are away',
    true,
    (request, response) => response.writeHead(request.url === '/' ? 401 : 503).end(),
  ],
  ['breaks off', false, (request) => request.socket.destroy()],
])('a gateway that %s asks for keys: %s', async (_how, asks, answer) => {
  expect(await asksForKeys(await serve(answer))).toBe(asks);
});
