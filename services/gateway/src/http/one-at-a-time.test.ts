import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { parseAnswers } from '../../test/raw-answers.js';
import { createHttpServer } from './http-server.js';
import { MOST_WAITING } from './one-at-a-time.js';

/** A server whose answers the test ends itself. */
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
    // A connection that is cut off may be reset.
    const gone = new Promise((resolve) => void socket.on('error', () => {}).once('close', resolve));
    onTestFinished(() => void socket.destroy());
    socket.write(paths.map(get).join(''));
    return { socket, gone, answers: () => parseAnswers(Buffer.concat(bytes)).map(({ body }) => body) };
  };
  const untilBegun = (path: string) =>
    eventually(() => {
      const [last, response] = [...begun].at(-1) ?? [];
      if (!response || last !== path) throw new Error(`${path} has not begun, but ${last}`);
      return response;
    });
  return { begun, closed, send, untilBegun };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: q\r\n\r\n`;
const paths = (count: number) => Array.from({ length: count }, (_, i) => `/${i}`);

it('requests of one connection are begun and answered one after the other', async () => {
  const { send, untilBegun } = await serve();
  const { answers } = send('/a', '/b', '/c');
  for (const path of ['/a', '/b', '/c']) (await untilBegun(path)).end(path);
  await eventually(() => expect(answers()).toEqual(['/a', '/b', '/c']));
});

it('as many as a client likes come one after the other, each when the one before it was answered', async () => {
  const { begun, send, untilBegun } = await serve();
  const { socket } = send();
  for (const path of paths(3 * MOST_WAITING)) {
    socket.write(get(path));
    (await untilBegun(path)).end();
  }
  expect([...begun.keys()]).toEqual(paths(3 * MOST_WAITING));
});

it('a client that goes leaves nothing open that was begun, and nothing more is begun for it', async () => {
  const { begun, closed, send, untilBegun } = await serve();
  const { socket } = send('/a', '/b', '/c');
  (await untilBegun('/a')).end();
  await untilBegun('/b');
  socket.destroy();
  await eventually(() => expect(closed).toEqual(['/a', '/b']));
  expect([...begun.keys()]).toEqual(['/a', '/b']);
});

it('nothing is begun behind an answer that ends the connection', async () => {
  const { begun, send, untilBegun } = await serve();
  const { gone, answers } = send('/a', '/b');
  (await untilBegun('/a')).setHeader('connection', 'close').end('last');
  await gone;
  expect(answers()).toEqual(['last']);
  expect([...begun.keys()]).toEqual(['/a']);
});

it('whoever sends more ahead than may wait is cut off, others are not', async () => {
  const { begun, closed, send, untilBegun } = await serve();
  await send('/flood', ...paths(500)).gone;
  await eventually(() => expect(closed).toEqual(['/flood']));
  expect([...begun.keys()]).toEqual(['/flood']);
  const all = paths(1 + MOST_WAITING);
  const { answers } = send(...all);
  for (const path of all) (await untilBegun(path)).end(path);
  await eventually(() => expect(answers()).toEqual(all));
});
