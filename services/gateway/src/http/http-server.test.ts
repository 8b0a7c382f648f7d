import { once } from 'node:events';
import { IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorEnvelopeSchema } from '@quire/shared/contracts';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { parseResponses } from '../../test/raw-responses.js';
import { rawRequest } from '../../test/raw-request.js';
import { createHttpServer, type ConnectionLimits } from './http-server.js';

const generous: ConnectionLimits = {
  headersMs: 20_000,
  requestMs: 20_000,
  checkEveryMs: 20_000,
  sendTimeoutMs: 20_000,
};
const strict: ConnectionLimits = { ...generous, headersMs: 50, requestMs: 50, checkEveryMs: 20 };

async function serve(listener: RequestListener, limits = generous): Promise<string> {
  const server = createHttpServer(listener, limits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function client(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const bytes: Buffer[] = [];
  socket.on('data', (more: Buffer) => bytes.push(more));
  return { socket, received: () => parseResponses(Buffer.concat(bytes)) };
}

const ok: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('served'));
};

it.each<[string, string[], number, string]>([
  ['noise', ['\u0000\u0001\u0002\r\n\r\n'], 400, 'INVALID_REQUEST'],
  ['TLS', ['\u0016\u0003\u0001\u0002\u0000\u0001'], 400, 'INVALID_REQUEST'],
  ['a request that ends early', ['POST /chat HTTP/1.1\r\nHost: q\r\n'], 400, 'INVALID_REQUEST'],
  [
    'two lengths',
    ['POST / HTTP/1.1\r\nHost: q\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    400,
    'INVALID_REQUEST',
  ],
  [
    'a length and chunks',
    ['POST / HTTP/1.1\r\nHost: q\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    400,
    'INVALID_REQUEST',
  ],
  ['a header with a NUL', ['GET / HTTP/1.1\r\nHost: q\r\na: \u0000\r\n\r\n'], 400, 'INVALID_REQUEST'],
  ['too large headers', [`GET / HTTP/1.1\r\na: ${'x'.repeat(20_000)}`], 431, 'HEADERS_TOO_LARGE'],
  ['a tunnel', ['CONNECT q:443 HTTP/1.1\r\nHost: q\r\n\r\n'], 405, 'METHOD_NOT_ALLOWED'],
])(
  'bytes that are no request (%s) get an error envelope, and the connection is closed',
  async (_what, pieces, status, code) => {
    const answers = await rawRequest(await serve(ok), pieces, { halfClose: status === 400 });
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({ status, headers: { connection: 'close' } });
    expect(errorEnvelopeSchema.parse(JSON.parse(answers[0]?.body ?? '')).error_code).toBe(code);
  },
);

it('an unknown Expect header is ignored', async () => {
  const url = await serve(ok);
  const [answer] = await rawRequest(url, ['GET / HTTP/1.1\r\nHost: q\r\nExpect: tea\r\n\r\n']);
  expect(answer).toMatchObject({ status: 200, body: 'served' });
});

it('malformed bytes after a request do not get into its response', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).write('begun');
  });
  const { socket, received } = client(url);
  socket.write('GET / HTTP/1.1\r\nHost: q\r\n\r\n');
  await once(socket, 'data');
  socket.write('\u0000noise\r\n\r\n');
  await once(socket, 'close');
  expect(received()).toMatchObject([{ status: 200, body: 'begun' }]);
});

it('malformed bytes after pipelined requests get neither into the current response nor into the next', async () => {
  const answers = new Map<string, ServerResponse>();
  const url = await serve(({ url: path = '' }, response) => {
    answers.set(path, response.writeHead(200, { 'content-type': 'text/plain' }));
    response.write(`${path} begun`);
  });
  const { socket, received } = client(url);
  socket.write(['/a', '/b', '/c'].map((path) => `GET ${path} HTTP/1.1\r\nHost: q\r\n\r\n`).join(''));
  await once(socket, 'data');
  answers.get('/a')?.end();
  await eventually(() => expect(answers.has('/b')).toBe(true));
  socket.write('\u0000noise\r\n\r\n');
  await once(socket, 'close');
  expect(received()).toMatchObject([{ body: '/a begun' }, { body: '/b begun' }]);
});

it('the default limits are 10 s for headers, 30 s for a body, 65 s between requests and 60 s without a read', () => {
  const server = createHttpServer(ok);
  expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 });
  const socket = new Socket();
  const response = new ServerResponse(new IncomingMessage(socket));
  server.emit('request', response.req, response);
  response.assignSocket(socket);
  response.emit('prefinish');
  expect(socket.timeout).toBe(60_000);
  socket.destroy();
});

const never = { halfClose: false };

it.each<[string, string[]]>([
  ['sends nothing after its first line', ['GET / HTTP/1.1\r\n']],
  ['does not end its headers', ['GET / HTTP/1.1\r\nHost: q\r\n', 'a: 1\r\n']],
  ['does not end its body', ['POST / HTTP/1.1\r\nHost: q\r\nContent-Length: 9\r\n\r\n', 'x']],
])('a client that %s gets a 408, and its connection is closed', async (_what, pieces) => {
  const [answer] = await rawRequest(await serve(ok, strict), pieces, never);
  expect(answer).toMatchObject({ status: 408, body: expect.stringContaining('REQUEST_TIMEOUT') });
});

const limits = { ...strict, headersMs: 1000, requestMs: 1000 };
const [head, body] = ['POST / HTTP/1.1\r\nHost: q\r\nConnection: close\r\nContent-Length: 4\r\n\r\n', 'body'];

it.each([
  ['its request', '', head + body],
  ['its body', head, body],
  ['nothing', head, ''],
])(
  'a client that sent %s during a stall of the event loop is refused only if the request is incomplete',
  async (what, before, meanwhile) => {
    const { socket, received } = client(await serve(ok, limits));
    await once(socket, 'connect');
    socket.write(before);
    // So that the server has read it.
    await sleep(100);
    socket.write(meanwhile);
    const until = performance.now() + 1600;
    while (performance.now() < until);
    await once(socket, 'close');
    expect(received()).toMatchObject([{ status: what === 'nothing' ? 408 : 200 }]);
  },
);

it('a request whose response takes longer than the request limits is not refused', async () => {
  let finish = () => {};
  const url = await serve((_request, response) => {
    response.writeHead(200).write('begun, ');
    finish = () => response.end('done');
  }, strict);
  const { socket, received } = client(url);
  socket.write('GET / HTTP/1.1\r\nHost: q\r\nConnection: close\r\n\r\n');
  await once(socket, 'data');
  // Two slow clients came later, one after the other, and both were refused.
  await rawRequest(url, ['GET / HTTP/1.1\r\n'], never);
  await rawRequest(url, ['GET / HTTP/1.1\r\n'], never);
  finish();
  await once(socket, 'close');
  expect(received()).toMatchObject([{ status: 200, body: 'begun, done' }]);
});
