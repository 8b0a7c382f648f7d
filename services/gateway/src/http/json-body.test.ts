import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createLogger } from '@quire/shared/logging';
import { eventually } from '@quire/testkit';
import type { RequestHandler } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { rawRequest } from '../../test/raw-request.js';
import { createApp } from './app.js';
import { createHttpServer } from './http-server.js';
import { jsonBody } from './json-body.js';

/** A key that is looked up for as long as it takes the client to close its side. */
const untilHalfClosed: RequestHandler = async (req, _res, next) => {
  await eventually(() => expect(req.socket.readableEnded).toBe(true));
  next();
};
const echo: RequestHandler = (req, res) => void res.json(req.body);

async function echoes(): Promise<string> {
  const app = createApp(createLogger('test', 'silent'), {
    open: [],
    authenticate: untilHalfClosed,
    guarded: [...jsonBody, echo],
  });
  const server = createHttpServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (body: string | Buffer, headers = '') =>
  Buffer.concat([
    Buffer.from(
      `POST / HTTP/1.1\r\nHost: q\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    ),
    Buffer.from(body),
  ]);
const GZIP = 'Content-Encoding: gzip\r\n';

it('the body of a client that has closed its side before it is read arrives', async () => {
  const answers = await rawRequest(await echoes(), [post('{"message":1}')]);
  expect(answers).toMatchObject([{ status: 200, body: '{"message":1}' }]);
});

it('the bodies of all requests that a client has sent ahead of closing its side arrive', async () => {
  const bodies = ['{"message":1}', '{"message":2}', '{"message":3}'];
  const answers = await rawRequest(await echoes(), [
    Buffer.concat([post('{"message":1}'), post(gzipSync('{"message":2}'), GZIP), post('{"message":3}')]),
  ]);
  expect(answers.map(({ body }) => body)).toEqual(bodies);
});

it.each([
  ['that is no JSON', post('{'), 400],
  ['that does not unpack', post('{"message":1}', GZIP), 400],
  ['that unpacks to too much', post(gzipSync(`"${'x'.repeat(300_000)}"`), GZIP), 413],
])('a body %s of a client that has closed its side is refused', async (_which, request, status) => {
  expect(await rawRequest(await echoes(), [request])).toMatchObject([{ status }]);
});
