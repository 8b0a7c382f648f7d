import { createServer, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunLogEntry } from '@quire/shared/run-log';
import { eventually } from '@quire/testkit';
import express from 'express';
import { afterEach, expect, it, vi } from 'vitest';
import { createHttpServer } from '../http/http-server.js';
import { respondSse } from './respond-sse.js';

const cleanups: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function serve(entries: AsyncIterable<RunLogEntry>, sendTimeoutMs?: number): Promise<IncomingMessage> {
  const app = express();
  app.get('/', async (_req, res) => {
    const gone = new AbortController();
    res.on('close', () => gone.abort());
    await respondSse(res, entries, { signal: gone.signal, ...(sendTimeoutMs && { sendTimeoutMs }) });
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).end();
  cleanups.push(() => {
    asked.destroy();
    server.closeAllConnections();
    server.close();
  });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

const delta = (seq: number, text: string): RunLogEntry => ({
  seq,
  type: 'delta',
  data: JSON.stringify({ text }),
});

/** An entry, and a second one after `goOn()`. */
function twoEntries() {
  let goOn = () => {};
  const goesOn = new Promise<void>((resolve) => (goOn = resolve));
  const entries = (async function* () {
    yield delta(1, 'a');
    await goesOn;
    yield delta(2, 'b');
  })();
  return { entries, goOn };
}

it('an idle stream gets a heartbeat every 15 s', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { entries, goOn } = twoEntries();
  const response = await serve(entries);
  let text = '';
  response.on('data', (bytes: Buffer) => (text += bytes.toString()));
  await eventually(() => expect(text).toContain('id: 1'));
  vi.advanceTimersByTime(14_999);
  expect(text).not.toContain(': heartbeat');
  vi.advanceTimersByTime(30_001);
  await eventually(() => expect(text.match(/: heartbeat/g)).toHaveLength(3));
  goOn();
  await once(response, 'end');
});

/** The bytes of a stream that a client receives which half-closes its connection after the request. */
async function halfClosedClient(entries: AsyncIterable<RunLogEntry>) {
  let close: (isFinished: boolean) => void = () => {};
  const closed = new Promise<boolean>((resolve) => (close = resolve));
  const app = express();
  app.get('/', async (_req, res) => {
    res.on('close', () => close(res.writableFinished));
    await respondSse(res, entries, { signal: new AbortController().signal });
  });
  const server = createHttpServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  cleanups.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  socket.end('GET / HTTP/1.1\r\nHost: q\r\n\r\n');
  return { socket, text: () => text, closed };
}

it('a stream continues for a client that half-closes its connection, with a heartbeat every second', async () => {
  const { entries, goOn } = twoEntries();
  const { text, closed } = await halfClosedClient(entries);
  await eventually(() => expect(text()).toMatch(/: heartbeat[^]*: heartbeat/));
  goOn();
  expect(await closed).toBe(true);
  await eventually(() => expect(text()).toMatch(/^HTTP\/1.1 200 OK[^]+id: 1\n[^]+id: 2\n/));
});

it('a client that has closed both sides of its connection is noticed long before the next heartbeat', async () => {
  const { entries, goOn } = twoEntries();
  const { socket, text, closed } = await halfClosedClient(entries);
  await eventually(() => expect(text()).toContain('id: 1'));
  socket.destroy();
  expect(await closed).toBe(false);
  goOn();
});

it('a client that does not read stops the stream from taking entries, and gets all of them later', async () => {
  const count = 2000;
  let taken = 0;
  const response = await serve(
    (async function* () {
      for (let seq = 1; seq <= count; seq += 1) {
        taken = seq;
        yield delta(seq, 'x'.repeat(10_000));
      }
    })(),
  );
  response.pause();
  const standstill = await eventually(async () => {
    const before = taken;
    await sleep(200);
    expect(taken).toBe(before);
    return taken;
  });
  expect(standstill).toBeLessThan(count);
  let text = '';
  for await (const bytes of response) text += String(bytes);
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
  expect(ids).toEqual(Array.from({ length: count }, (_, i) => i + 1));
});

/** More than the system buffers for a connection. */
const HUGE = 'x'.repeat(48_000_000);

it('a client that reads nothing of what was written is cut off', async () => {
  let goOn = () => {};
  const goesOn = new Promise<void>((resolve) => (goOn = resolve));
  const response = await serve(
    (async function* () {
      yield delta(1, HUGE);
      goOn();
    })(),
    300,
  );
  response.pause();
  await goesOn;
  await expect(lengthOf(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

it('a slow client is not cut off while it reads, however long one event takes', async () => {
  const response = await serve(
    (async function* () {
      yield delta(1, HUGE);
    })(),
    1000,
  );
  // Some 700 pieces: in all far longer than the limit, though no pause comes near it.
  expect(await lengthOf(response, 3)).toBeGreaterThan(HUGE.length);
});

/** Reads a stream to its end, with a pause after each piece. */
async function lengthOf(response: IncomingMessage, pauseMs = 0): Promise<number> {
  let length = 0;
  for await (const piece of response) {
    length += (piece as Buffer).length;
    await sleep(pauseMs);
  }
  return length;
}
