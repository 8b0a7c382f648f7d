import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createLogger } from '@quire/shared/logging';
import { eventually } from '@quire/testkit';
import { Router, type RequestHandler } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { rawRequest } from '../../test/raw-request.js';
import { createApp } from './app.js';
import { createHttpServer } from './http-server.js';
import { jsonBodyReader } from './json-body.js';

/** Stands for a key lookup that lasts until the client has closed its side. */
const untilHalfClosed: RequestHandler = async (req, _res, next) => {
  await eventually(() => expect(req.socket.readableEnded).toBe(true));
  next();
};
const readBody = jsonBodyReader();
const echo: RequestHandler = async (req, res) => {
  await readBody(req, res);
  res.json(req.body);
};

async function startEcho(): Promise<string> {
  const app = createApp(createLogger('test', 'silent'), {
    open: Router(),
    authenticate: untilHalfClosed,
    guarded: echo,
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

it('a body that is read after its client has closed its side arrives', async () => {
  const responses = await rawRequest(await startEcho(), [post('{"message":1}')]);
  expect(responses).toMatchObject([{ status: 200, body: '{"message":1}' }]);
});

it('the bodies of all pipelined requests arrive after their client has closed its side', async () => {
  const bodies = ['{"message":1}', '{"message":2}', '{"message":3}'];
  const responses = await rawRequest(await startEcho(), [
    Buffer.concat([post('{"message":1}'), post(gzipSync('{"message":2}'), GZIP), post('{"message":3}')]),
  ]);
  expect(responses.map(({ body }) => body)).toEqual(bodies);
});

it.each([
  ['that is no JSON', post('{'), 400],
  ['that cannot be decompressed', post('{"message":1}', GZIP), 400],
  ['that decompresses to more than the limit', post(gzipSync(`"${'x'.repeat(300_000)}"`), GZIP), 413],
])('a body %s is refused after its client has closed its side', async (_which, request, status) => {
  expect(await rawRequest(await startEcho(), [request])).toMatchObject([{ status }]);
});
