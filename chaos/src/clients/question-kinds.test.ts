import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seededRandom } from '@quire/testkit/random';
import { afterEach, expect, it } from 'vitest';
import { tokenOf } from '../questions/scripted-answer.js';
import { Asking } from './asking.js';
import { newView, type ClientView, type QuestionKind } from './client-view.js';
import { askAs } from './question-kinds.js';

type Respond = (req: IncomingMessage, res: ServerResponse) => void;

const RUN = 'run-1';
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const completed = { request_id: RUN, answer: 'text', metadata: { mode: 'full' } };
const ended = { type: 'completed', mode: 'full', answer: 'text' };
const event = (id: number, type: string, data: object) =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ request_id: RUN, ...data })}\n\n`;
const sse =
  (...events: string[]): Respond =>
  (_req, res) =>
    res.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
const json =
  (status: number, body: object): Respond =>
  (_req, res) =>
    res
      .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
      .end(JSON.stringify(body));

/** Asks as a client of this kind two gateways that respond to the calls in this order. */
async function ask(kind: QuestionKind, responses: Respond[]): Promise<{ view: ClientView; calls: string[] }> {
  const calls: string[] = [];
  const keys = new Set<unknown>();
  const open = async (gateway: number) => {
    const server = createServer((req, res) => {
      calls.push([gateway, req.method, req.url, req.headers['last-event-id']].join(' ').trim());
      if (req.method === 'POST') keys.add(req.headers['idempotency-key']);
      (responses.shift() ?? json(500, {}))(req, res);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const view = newView(kind, tokenOf(randomUUID()), 'session', 0);
  await askAs[kind](
    new Asking({
      view,
      gatewayUrls: [await open(0), await open(1)],
      limit: AbortSignal.timeout(10_000),
      random: seededRandom(1),
      idempotencyKey: 'key',
    }),
  );
  expect([...keys]).toEqual(['key']);
  return { view, calls };
}

it('a client counts a refusal and asks again with the same key', async () => {
  const refused = (id: string) => json(503, { error_code: 'QUEUE_UNAVAILABLE', request_id: id });
  const { view } = await ask('json', [refused('a'), refused('b'), json(200, completed)]);
  expect(view).toMatchObject({ refusals: { QUEUE_UNAVAILABLE: 2 }, responseEndings: [ended], runIds: [RUN] });
});

it('a client takes a second refusal with the same id for the outcome of the run', async () => {
  const refused = json(503, { error_code: 'QUEUE_UNAVAILABLE', request_id: RUN });
  const { view } = await ask('json', [refused, refused]);
  expect(view).toMatchObject({
    responseEndings: [{ type: 'failed', code: 'QUEUE_UNAVAILABLE' }],
    runIds: [RUN],
  });
});

it('a client does not ask again after its run has failed', async () => {
  const { view, calls } = await ask('json', [
    json(503, { error_code: 'RETRIEVAL_UNAVAILABLE', request_id: RUN }),
  ]);
  expect(view.responseEndings).toEqual([{ type: 'failed', code: 'RETRIEVAL_UNAVAILABLE' }]);
  expect(calls).toHaveLength(1);
});

it('a client whose connection breaks before a response asks again on the other gateway', async () => {
  const { view, calls } = await ask('json', [(req) => req.socket.destroy(), json(200, completed)]);
  expect(view).toMatchObject({ responseEndings: [ended], wasCut: true });
  expect(calls.map((call) => call.slice(2))).toEqual(['POST /chat', 'POST /chat']);
  expect(new Set(calls.map((call) => call[0])).size).toBe(2);
});

it('a client polls a run that was accepted with 202 until it has ended', async () => {
  const { view } = await ask('async', [
    json(202, { request_id: RUN }),
    json(200, { request_id: RUN, state: 'generating' }),
    json(200, { request_id: RUN, state: 'completed', response: completed }),
  ]);
  expect(view.responseEndings).toEqual([ended]);
});

it('a client resumes a stream that lacks its terminal event on the other gateway, after the last event', async () => {
  const { view, calls } = await ask('stream', [
    sse(event(1, 'queued', {}), event(2, 'delta', { text: 'te' })),
    sse(event(3, 'delta', { text: 'xt' }), event(4, 'completed', completed)),
  ]);
  expect(view.events.map(({ id, type }) => `${id} ${type}`)).toEqual([
    '1 queued',
    '2 delta',
    '3 delta',
    '4 completed',
  ]);
  expect(view).toMatchObject({ resumes: 1, unexpected: [] });
  expect(calls[1]?.slice(2)).toBe(`GET /chat/${RUN}/stream 2`);
  expect(calls[1]?.[0]).not.toBe(calls[0]?.[0]);
});

it('a client polls the run if a resumed stream gets 204 without an outcome', async () => {
  const { view } = await ask('stream', [
    sse(event(1, 'delta', { text: 'text' })),
    (_req, res) => res.writeHead(204).end(),
    json(200, { request_id: RUN, state: 'completed', response: completed }),
  ]);
  expect(view.responseEndings).toEqual([ended]);
});

it('a client that is to leave asks with on_disconnect: cancel, and does not reconnect', async () => {
  let body = '';
  const { view, calls } = await ask('leave', [
    (req, res) => {
      req.on('data', (chunk: Buffer) => (body += chunk.toString()));
      const events = Array.from({ length: 400 }, (_, index) => event(index + 1, 'delta', { text: 'x' }));
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.join(''));
    },
  ]);
  expect(JSON.parse(body)).toMatchObject({ on_disconnect: 'cancel' });
  expect(view).toMatchObject({ hasLeft: true, responseEndings: [], runIds: [RUN] });
  expect(calls).toHaveLength(1);
});

it('a client has not left if its run completes before', async () => {
  const { view } = await ask('leave', [sse(event(1, 'completed', completed))]);
  expect(view).toMatchObject({ hasLeft: false });
  expect(view.events[0]?.ending).toEqual(ended);
});

it('a client reports a 404 for its run as unexpected', async () => {
  const { view } = await ask('stream', [sse(event(1, 'queued', {})), json(404, { error_code: 'NOT_FOUND' })]);
  expect(view.unexpected).toEqual([`GET /chat/${RUN}/stream 404`]);
});
