import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { parseResponses } from '../../test/raw-responses.js';
import { createHttpServer } from './http-server.js';

/** A server whose responses the test ends. */
async function serve(atOnce: RequestListener = () => {}) {
  const begun: ServerResponse[] = [];
  const server = createHttpServer((request, response) => {
    begun.push(response);
    atOnce(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const untilBegun = (count: number) =>
    eventually(() => {
      const response = begun[count - 1];
      if (!response) throw new Error(`${begun.length} requests have started`);
      return response;
    });
  return { open, untilBegun };
}

const post = (version = '1.1', path = '/') =>
  `POST ${path} HTTP/${version}\r\nHost: q\r\nContent-Length: 2\r\n\r\n{}`;

/** All bytes of a connection until the server closes it. */
function bytesOf(socket: Socket) {
  const bytes: Buffer[] = [];
  socket.on('data', (more: Buffer) => bytes.push(more));
  const ended = once(socket, 'end').then(() => Buffer.concat(bytes));
  return { text: () => Buffer.concat(bytes).toString(), ended };
}

it.each(['1.0', '1.1'])(
  'a client of HTTP/%s that closes its side after its request gets the response',
  async (version) => {
    const { open, untilBegun } = await serve();
    const socket = open();
    const { text, ended } = bytesOf(socket);
    socket.end(post(version));
    const response = await untilBegun(1);
    // Two bytes were sent as probes.
    await eventually(() => expect(text()).toMatch(/^HT/));
    response.writeHead(201, { 'X-Request-Id': 'r1' }).end(Buffer.from('{"answer":1}'));
    const [answer, ...more] = parseResponses(await ended);
    expect(more).toEqual([]);
    expect(answer).toMatchObject({ status: 201, body: '{"answer":1}' });
    expect(answer?.headers).toMatchObject({ 'x-request-id': 'r1' });
  },
);

it('a half-closed client gets all pieces of a response that is written in pieces', async () => {
  const { open, untilBegun } = await serve();
  const socket = open();
  const { text, ended } = bytesOf(socket);
  socket.end(post());
  const response = await untilBegun(1);
  await eventually(() => expect(text()).toMatch(/^H/));
  response.writeHead(200, { 'Content-Type': 'text/plain' });
  response.flushHeaders();
  response.write('one ');
  response.end('two');
  expect(parseResponses(await ended)).toMatchObject([{ status: 200, body: 'one two' }]);
});

it('a client that pipelines requests and then closes its side gets all responses in order', async () => {
  const { open, untilBegun } = await serve();
  const socket = open();
  const { text, ended } = bytesOf(socket);
  socket.end(post('1.1', '/a') + post('1.1', '/b'));
  const first = await untilBegun(1);
  await eventually(() => expect(text()).toMatch(/^H/));
  first.end('first');
  const second = await untilBegun(2);
  await eventually(() => expect(text()).toMatch(/\r\nfirstH/));
  second.end('second');
  expect(parseResponses(await ended).map(({ body }) => body)).toEqual(['first', 'second']);
});

it('a response is closed when its client has closed the whole connection, before anything is sent', async () => {
  const { open, untilBegun } = await serve();
  const socket = open();
  socket.write(post());
  const response = await untilBegun(1);
  socket.destroy();
  await once(response, 'close');
  expect(response.writableFinished).toBe(false);
});

it('a response is closed when its half-closed client closes the whole connection', async () => {
  const { open, untilBegun } = await serve();
  const socket = open();
  const { text } = bytesOf(socket);
  socket.end(post());
  const response = await untilBegun(1);
  await eventually(() => expect(text()).toMatch(/^H/));
  socket.destroy();
  await once(response, 'close');
  expect(response.writableFinished).toBe(false);
});

it('the server closes the connection of a client that closes its side between two requests', async () => {
  const { open } = await serve((_request, response) => response.end('done'));
  const socket = open();
  const { text, ended } = bytesOf(socket);
  socket.write(post());
  await eventually(() => expect(text()).toContain('done'));
  socket.end();
  expect(parseResponses(await ended)).toMatchObject([{ status: 200, body: 'done' }]);
});

it('a client that closes its side within its request is refused, and nothing is written after the refusal', async () => {
  const problems: unknown[] = [];
  const { open, untilBegun } = await serve((request) => {
    request.socket.on('error', (error) => problems.push(error));
  });
  const socket = open();
  const { ended } = bytesOf(socket);
  socket.end(post().slice(0, -1));
  const { req } = await untilBegun(1);
  const closed = req.socket.destroyed ? undefined : once(req.socket, 'close');
  expect(parseResponses(await ended)).toMatchObject([{ status: 400 }]);
  await closed;
  expect(problems).toEqual([]);
});
