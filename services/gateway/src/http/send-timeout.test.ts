import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { parseResponses } from '../../test/raw-responses.js';
import { createHttpServer } from './http-server.js';

const limits = { headersMs: 20_000, requestMs: 20_000, checkEveryMs: 20_000, sendTimeoutMs: 600 };
/** More than fits into the buffers of a connection. */
const LARGE = Buffer.alloc(48_000_000, 'x');

function* pieces() {
  for (let at = 0; at < LARGE.length; at += 64_000) yield LARGE.subarray(at, at + 64_000);
}

interface Served {
  server: Server;
  /** The response to `/later`, which the test ends. */
  later: Promise<ServerResponse>;
}

async function serve(): Promise<Served> {
  let arrived: (response: ServerResponse) => void = () => {};
  const later = new Promise<ServerResponse>((resolve) => (arrived = resolve));
  const answer: RequestListener = (request, response) => {
    if (request.url === '/later') arrived(response);
    else if (request.url === '/piped') Readable.from(pieces()).pipe(response);
    else response.end(request.url === '/large' ? LARGE : 'small');
  };
  const server = createHttpServer(answer, limits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, later };
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: q', ...headers, '', ''].join('\r\n');

function open({ server }: Served): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  return socket.on('error', () => {});
}

/** Requests a large response and reads nothing until the server closes the connection; returns the bytes sent by then. */
async function getStuck(served: Served, ...requests: string[]): Promise<number> {
  const asked = once(served.server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const socket = open(served).pause();
  socket.write(requests.join('') || get('/large'));
  const [, response] = await asked;
  await once(response.req.socket, 'close');
  return bytesUntilClose(socket.resume());
}

async function bytesUntilClose(socket: Socket): Promise<number> {
  let received = 0;
  socket.on('data', (bytes: Buffer) => (received += bytes.length));
  await once(socket, 'close');
  return received;
}

it.each([
  ['ended at once', [get('/large')]],
  ['piped', [get('/piped')]],
  ['piped after another', [get('/small'), get('/piped')]],
])(
  'the connection of a client that does not read is closed, with a response that is %s',
  async (_how, requests) => {
    expect(await getStuck(await serve(), ...requests)).toBeLessThan(LARGE.length);
  },
);

it.each(['/large', '/piped'])(
  'the connection of a slow client stays open while it goes on reading %s',
  async (path) => {
    const socket = open(await serve());
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 2);
    });
    socket.write(get(path, 'Connection: close'));
    expect(await bytesUntilClose(socket)).toBeGreaterThan(LARGE.length);
  },
);

it.each([
  ['follows the first response', true],
  ['is pipelined', false],
])(
  'the send timeout of a response does not apply to the next one, whose request %s',
  async (_when, separately) => {
    const served = await serve();
    const socket = open(served);
    const bytes: Buffer[] = [];
    socket.on('data', (more: Buffer) => bytes.push(more));
    const next = get('/later', 'Connection: close');
    if (separately) {
      socket.write(get('/small'));
      await once(socket, 'data');
      socket.write(next);
    } else socket.write(get('/small') + next);
    const response = await served.later;
    // This client came later, and its connection was closed.
    await getStuck(served);
    response.end('done');
    await once(socket, 'close');
    expect(parseResponses(Buffer.concat(bytes)).map(({ body }) => body)).toEqual(['small', 'done']);
  },
);
