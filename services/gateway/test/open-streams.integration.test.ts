import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { startGatewayProcess, type GatewayInProcess } from './fuzz/gateway-in-process.js';

const STREAMS = 500;
const AT_ONCE = 25;
const STEADY_MEASURES = 5;
const MEASURE_EVERY_MS = 500;
const MOST_BYTES_OPEN = 20 * 1024;
/** Compiled code and tables that never shrink; they do not grow with the next streams. */
const MOST_BYTES_CLOSED = 4 * 1024;

const body = JSON.stringify({ message: 'How do nodes talk? '.repeat(50) });
/** About what a browser sends. */
const head = [
  'POST /chat/stream HTTP/1.1',
  'Host: localhost',
  'Accept: text/event-stream',
  'Accept-Language: de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
  'Cache-Control: no-cache',
  'Content-Type: application/json',
  'Origin: https://book.example',
  'Referer: https://book.example/docs/ros2/services-and-actions',
  `User-Agent: Mozilla/5.0 (X11; Linux x86_64) ${'AppleWebKit/537.36 '.repeat(4)}`,
  `Content-Length: ${Buffer.byteLength(body)}`,
].join('\r\n');

/** Asks a question; resolves when the stream has brought its first event. */
function openStream(gateway: GatewayInProcess): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (text.includes('event: queued')) resolve(socket.removeAllListeners('data').resume());
      else if (!text.startsWith('HTTP/1.1 200 ')) reject(new Error(text));
    });
    socket.on('error', reject);
    socket.write(`${head}\r\n\r\n${body}`);
  });
}

async function openStreams(gateway: GatewayInProcess): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const client = async () => {
    for (let i = 0; i < STREAMS / AT_ONCE; i += 1) sockets.push(await openStream(gateway));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return sockets;
}

/** Measured until it no longer falls: memory of closed connections is freed late, after timers of Node. */
async function steadyBytes(gateway: GatewayInProcess, connections: number): Promise<number> {
  let least = Infinity;
  for (let steady = 0; steady < STEADY_MEASURES; steady += 1) {
    const bytes = await bytesHeld(gateway, connections);
    if (bytes < least - STREAMS * 50) steady = 0;
    least = Math.min(least, bytes);
    await sleep(MEASURE_EVERY_MS);
  }
  return least;
}

async function bytesHeld(gateway: GatewayInProcess, connections: number): Promise<number> {
  const { heapBytes, externalBytes } = await eventually(
    async () => {
      const holdings = await gateway.measure();
      expect(holdings.connections).toBe(connections);
      return holdings;
    },
    { timeoutMs: 30_000 },
  );
  return heapBytes + externalBytes;
}

it('an open stream holds little memory however large its request was, and a closed one holds none', async () => {
  const gateway = await startGatewayProcess('off');
  onTestFinished(() => gateway.close());
  const close = (sockets: Socket[]) => {
    for (const socket of sockets) socket.destroy();
  };
  // The first ones fill pools and caches.
  close(await openStreams(gateway));
  const before = await steadyBytes(gateway, 0);
  const sockets = await openStreams(gateway);
  const open = await steadyBytes(gateway, STREAMS);
  close(sockets);
  expect((open - before) / STREAMS).toBeLessThan(MOST_BYTES_OPEN);
  await eventually(
    async () => expect(((await bytesHeld(gateway, 0)) - before) / STREAMS).toBeLessThan(MOST_BYTES_CLOSED),
    { timeoutMs: 30_000 },
  );
});
