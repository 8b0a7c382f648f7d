import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@quire/shared/logging';
import { Router } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from './app.js';

const SECRET = 'canary-inside';

async function responseTo(router: Router, log = (_line: string) => {}): Promise<string> {
  const parts = { open: router, authenticate: undefined, guarded: Router() };
  const server = createApp(createLogger('test', 'error', { write: log }), parts).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(response.status).toBe(500);
  return response.text();
}

const broken = Router().get('/', () => {
  throw new Error(SECRET);
});

it('the response to an unexpected error has neither its message nor its stack', async () => {
  expect(JSON.parse(await responseTo(broken))).toMatchObject({
    error_code: 'INTERNAL',
    message: 'Something went wrong on our side',
  });
});

it('the response to an unexpected error that cannot be logged has neither its message nor its stack', async () => {
  const text = await responseTo(broken, () => {
    throw new Error(SECRET);
  });
  expect(text).not.toMatch(/canary-inside|\bat .+:\d+/);
});
