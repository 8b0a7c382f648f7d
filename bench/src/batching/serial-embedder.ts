import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const CALL_MS = 50;
const MOST_TEXTS = 96;
const KEEP_ALIVE_MS = 60_000;

interface EmbeddingsBody {
  input: string | string[];
  dimensions: number;
}

// An OpenAI-compatible embedder that serves one call at a time and takes as long for many texts as for one, as a
// single GPU does. With calls served in parallel, batching could gain nothing.
let calls: number[] = [];
let lastCall: Promise<unknown> = Promise.resolve();

const server = createServer((request, response) => {
  serve(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = KEEP_ALIVE_MS;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.once('SIGTERM', () => process.exit(0));
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.end(JSON.stringify(calls));
    calls = [];
    return;
  }
  const { input, dimensions } = await readBody(request);
  const texts = [input].flat();
  calls.push(texts.length);
  lastCall = lastCall.then(() => sleep(CALL_MS));
  await lastCall;
  const isTooMuch = texts.length > MOST_TEXTS;
  const data = texts.map((text, index) => ({ index, embedding: vectorOf(text, dimensions) }));
  response.writeHead(isTooMuch ? 400 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isTooMuch ? { error: { message: 'Too many texts' } } : { data }));
}

async function readBody(request: IncomingMessage): Promise<EmbeddingsBody> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString()) as EmbeddingsBody;
}

/** A meaningless vector that is the same for the same text. */
function vectorOf(text: string, dimensions: number): number[] {
  const bytes = createHash('shake256', { outputLength: dimensions }).update(text).digest();
  return Array.from(bytes, (byte) => byte / 255 - 0.5);
}
