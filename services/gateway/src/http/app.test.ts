import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@quire/shared/logging';
import { Router } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from './app.js';

const SECRET = 'canary-inside';

async function answerOf(router: Router, log = (_line: string) => {}): Promise<string> {
  const parts = { open: [router], authenticate: undefined, guarded: [] };
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

it('a defect is told without its words or its stack', async () => {
  expect(JSON.parse(await answerOf(broken))).toMatchObject({
    error_code: 'INTERNAL',
    message: 'Something went wrong on our side',
  });
});

it('and so is one that cannot even be logged', async () => {
  const text = await answerOf(broken, () => {
    throw new Error(SECRET);
  });
  expect(text).not.toMatch(/canary-inside|\bat .+:\d+/);
});
