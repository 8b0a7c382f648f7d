import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Exchange } from './exchange.js';
import { listen } from './listen.js';

const LARGER_THAN_ANY_SOCKET_BUFFER = 'x'.repeat(32 * 1024 * 1024);

const serving = async (serve: (exchange: Exchange) => Promise<void>): Promise<number> => {
  const { origin, close } = await listen(0, serve);
  onTestFinished(close);
  return Number(new URL(origin).port);
};

it('a write resolves only when the client has read', async () => {
  let begun = false;
  let written = false;
  const port = await serving(async (exchange) => {
    begun = true;
    await exchange.write(LARGER_THAN_ANY_SOCKET_BUFFER);
    written = true;
  });
  const client = connect(port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => begun).toBe(true);
  await pause(50);
  expect(written).toBe(false);
  client.resume();
  await expect.poll(() => written).toBe(true);
  client.destroy();
});

it('waiting, writing and stalling end when the client closes the connection', async () => {
  const ended: string[] = [];
  const port = await serving(async (exchange) => {
    await Promise.all([
      exchange.wait(60_000).then(() => ended.push('wait')),
      exchange.write(LARGER_THAN_ANY_SOCKET_BUFFER).then(() => ended.push('write')),
      exchange.untilClosed().then(() => ended.push('stall')),
    ]);
    expect(exchange.open).toBe(false);
    await exchange.wait(60_000);
    await exchange.untilClosed();
    ended.push('afterwards');
  });
  const client = connect(port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(client, 'readable');
  client.destroy();
  await expect.poll(() => ended.toSorted()).toEqual(['afterwards', 'stall', 'wait', 'write']);
});
