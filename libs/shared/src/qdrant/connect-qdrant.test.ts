import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectQdrant } from './connect-qdrant.js';

it.each([
  ['its key', 'a-key'],
  ['no key where there is none', undefined],
])('a client sends %s, asks for plain responses, and prints nothing', async (_what, apiKey) => {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify({ result: { collections: [] }, status: 'ok', time: 0 }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const printed = (['log', 'info', 'warn', 'error'] as const).map((method) => vi.spyOn(console, method));
  onTestFinished(() => printed.forEach((spy) => spy.mockRestore()));

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await connectQdrant({ url, apiKey }, 5000).getCollections()).toEqual({ collections: [] });
  expect(asked.map((headers) => headers['api-key'])).toEqual([apiKey]);
  expect(asked[0]?.['accept-encoding']).toBe('identity');
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
});
