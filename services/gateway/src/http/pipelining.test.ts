import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { parseResponses } from '../../test/raw-responses.js';
import { createHttpServer } from './http-server.js';
import { MAX_PIPELINED } from './pipelining.js';

/** A server whose responses the test ends. */
async function serve() {
  const begun = new Map<string, ServerResponse>();
  const closed: string[] = [];
  const server = createHttpServer(({ url: path = '' }, response) => {
    begun.set(path, response);
    response.on('close', () => closed.push(path));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = (...paths: string[]) => {
    const bytes: Buffer[] = [];
    const socket = connect(port, '127.0.0.1').on('data', (more: Buffer) => bytes.push(more));
    // A connection that the server destroys may be reset.
    const gone = new Promise((resolve) => void socket.on('error', () => {}).once('close', resolve));
    onTestFinished(() => void socket.destroy());
    socket.write(paths.map(get).join(''));
    return { socket, gone, answers: () => parseResponses(Buffer.concat(bytes)).map(({ body }) => body) };
  };
  const untilBegun = (path: string) =>
    eventually(() => {
      const [last, response] = [...begun].at(-1) ?? [];
      if (!response || last !== path) throw new Error(`${path} has not started, but ${last}`);
      return response;
    });
  return { begun, closed, send, untilBegun };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: q\r\n\r\n`;
const paths = (count: number) => Array.from({ length: count }, (_, i) => `/${i}`);

it('pipelined requests are started and answered one after the other', async () => {
  const { send, untilBegun } = await serve();
  const { answers } = send('/a', '/b', '/c');
  for (const path of ['/a', '/b', '/c']) (await untilBegun(path)).end(path);
  await eventually(() => expect(answers()).toEqual(['/a', '/b', '/c']));
});

it('a client that sends each request after the response before it may send any number', async () => {
  const { begun, send, untilBegun } = await serve();
  const { socket } = send();
  for (const path of paths(3 * MAX_PIPELINED)) {
    socket.write(get(path));
    (await untilBegun(path)).end();
  }
  expect([...begun.keys()]).toEqual(paths(3 * MAX_PIPELINED));
});

it('when a client leaves, its current response is closed and its waiting requests are not started', async () => {
  const { begun, closed, send, untilBegun } = await serve();
  const { socket } = send('/a', '/b', '/c');
  (await untilBegun('/a')).end();
  await untilBegun('/b');
  socket.destroy();
  await eventually(() => expect(closed).toEqual(['/a', '/b']));
  expect([...begun.keys()]).toEqual(['/a', '/b']);
});

it('requests behind a response that closes the connection are not started', async () => {
  const { begun, send, untilBegun } = await serve();
  const { gone, answers } = send('/a', '/b');
  (await untilBegun('/a')).setHeader('connection', 'close').end('last');
  await gone;
  expect(answers()).toEqual(['last']);
  expect([...begun.keys()]).toEqual(['/a']);
});

it('the connection of a client that pipelines more requests than may wait is closed, others are served', async () => {
  const { begun, closed, send, untilBegun } = await serve();
  await send('/flood', ...paths(500)).gone;
  await eventually(() => expect(closed).toEqual(['/flood']));
  expect([...begun.keys()]).toEqual(['/flood']);
  const all = paths(1 + MAX_PIPELINED);
  const { answers } = send(...all);
  for (const path of all) (await untilBegun(path)).end(path);
  await eventually(() => expect(answers()).toEqual(all));
});
