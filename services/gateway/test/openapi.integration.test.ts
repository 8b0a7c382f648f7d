import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeGroups } from '../src/routes.js';
import { openApiDocument } from '../src/openapi/openapi-document.js';
import type { OpenApiDocument } from '../src/openapi/openapi-objects.js';
import { describedAnswers, type AnswerCheck } from './described-answers.js';
import { completed, deltas, failed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { foundPassages, playRetrieval } from './play-retrieval.js';
import { routesOf } from './routes-of.js';
import { answered } from './thread-turns.js';

let gateway: GatewayUnderTest;
let document: OpenApiDocument;
let expectDescribed: AnswerCheck;
beforeAll(async () => {
  gateway = await startGateway();
  document = (await (await gateway.get('/openapi.json')).json()) as OpenApiDocument;
  expectDescribed = describedAnswers(document);
});
afterAll(() => gateway.close());

it('the served document is the one that is made from the contracts', () => {
  const made = openApiDocument(routeGroups, document.info.version);
  expect(document).toEqual(JSON.parse(JSON.stringify(made)));
});

it('every mounted path and method has a route object, which is in the document', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(routesOf(gateway.app)).toEqual(described.sort());
});

describe('an answer is as the document says', () => {
  const accept = async () => {
    const response = await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' });
    return (await expectDescribed('post /chat', response, 202))['request_id'] as string;
  };

  it.each(['/chat', '/chat/run'])('POST %s', async (path) => {
    const waiting = gateway.post(path, { message: `How do nodes talk at ${path}?` });
    const runId = await gateway.runOf(`How do nodes talk at ${path}?`);
    await gateway.conclude(completed(runId));
    await expectDescribed(`post ${path}`, await waiting, 200);
  });

  it('POST /chat of a run that fails', async () => {
    const waiting = gateway.post('/chat', { message: 'What fails?' });
    await gateway.conclude(failed(await gateway.runOf('What fails?')));
    await expectDescribed('post /chat', await waiting, 503);
  });

  it.each(['/chat', '/chat/stream'])('POST %s as a stream', async (path) => {
    const response = await gateway.post(path, { message: 'Hi', stream: true });
    const runId = response.headers.get('x-request-id') ?? '';
    await gateway.runLog.append(runId, 1, [
      { type: 'status', data: { request_id: runId, state: 'generating' } },
      ...deltas(runId, 'one', 'two'),
    ]);
    await gateway.conclude(completed(runId));
    await expectDescribed(`post ${path}`, response, 200);
  });

  it('a replayed question', async () => {
    const ask = () =>
      gateway.post('/chat', { message: 'Again?' }, { 'idempotency-key': 'k1', prefer: 'respond-async' });
    await expectDescribed('post /chat', await ask(), 202);
    const replayed = await ask();
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    await expectDescribed('post /chat', replayed, 202);
    const other = await gateway.post('/chat', { message: 'Other?' }, { 'idempotency-key': 'k1' });
    await expectDescribed('post /chat', other, 409);
  });

  it('GET /chat/{request_id} of a run under way, answered, failed and cancelled', async () => {
    const [live, told, broken, stopped] = [await accept(), await accept(), await accept(), await accept()];
    await gateway.conclude(completed(told));
    await gateway.conclude(failed(broken));
    const cancelled = await fetch(`${gateway.url}/chat/${stopped}`, { method: 'DELETE' });
    await expectDescribed('delete /chat/{request_id}', cancelled, 200);
    for (const id of [live, told, broken, stopped]) {
      await expectDescribed('get /chat/{request_id}', await gateway.get(`/chat/${id}`), 200);
    }
    const followed = await gateway.get(`/chat/${told}/stream`);
    await expectDescribed('get /chat/{request_id}/stream', followed, 200);
    const rest = await gateway.get(`/chat/${told}/stream`, { 'last-event-id': '2' });
    await expectDescribed('get /chat/{request_id}/stream', rest, 204);
  });

  it('a thread that is read, changed and deleted', async () => {
    const { threadId } = await answered(gateway.db);
    const expectAt = async (method: string, path: string, status: number, body?: object) => {
      const response = await gateway.send(method.toUpperCase(), `${path}/${threadId}`, body);
      return expectDescribed(`${method} ${path}/{session_id}`, response, status);
    };
    const metadata = { course: 'robotics-101' };
    await expectAt('patch', '/threads', 200, { metadata });
    expect(await expectAt('get', '/threads', 200)).toMatchObject({ metadata, message_count: 2 });
    await expectAt('get', '/history', 200);
    await expectAt('patch', '/threads', 400, { metadata: 1 });
    await expectAt('delete', '/threads', 204);
    await expectAt('get', '/threads', 404);
    await expectAt('get', '/history', 404);
    await expectAt('patch', '/threads', 404, { metadata });
    await expectAt('delete', '/threads', 404);
  });

  it('POST /feedback', async () => {
    const { runId: request_id } = await answered(gateway.db);
    const say = (body: object) => gateway.post('/feedback', body);
    const said = { request_id, rating: 'up' };
    await expectDescribed('post /feedback', await say(said), 200);
    await expectDescribed('post /feedback', await say({ ...said, comment: 'It helped.' }), 200);
    await expectDescribed('post /feedback', await say({ ...said, rating: 'fine' }), 400);
    await expectDescribed('post /feedback', await say({ ...said, request_id: randomUUID() }), 404);
  });

  it('POST /search', async () => {
    playRetrieval(gateway.redisUrl, () => Promise.resolve(foundPassages()));
    await expectDescribed('post /search', await gateway.post('/search', { query: 'Nodes?' }), 200);
  });

  it.each([
    ['/threads', 200],
    ['/threads?limit=0', 400],
    ['/health', 200],
    ['/health/live', 200],
    ['/health/ready', 200],
    ['/openapi.json', 200],
    ['/docs', 200],
  ])('GET %s: %i', async (path, status) => {
    await expectDescribed(`get ${path.replace(/\?.*/, '')}`, await gateway.get(path), status);
  });

  it.each<[string, unknown, Record<string, string>, number]>([
    ['an empty question', { message: '' }, {}, 400],
    ['a long question', { message: 'x'.repeat(1001) }, {}, 400],
    ['a strange session', { message: 'Hi', session_id: 'me' }, {}, 400],
    ['several problems', { message: 'Hi', top_k: 99, what: 1 }, {}, 400],
    ['no JSON', '{', {}, 400],
    ['text', 'Hi', { 'content-type': 'text/plain' }, 415],
    ['too much', { message: 'x'.repeat(300_000) }, {}, 413],
  ])('POST /chat and /search with %s', async (_what, body, headers, status) => {
    await expectDescribed('post /chat', await gateway.post('/chat', body, headers), status);
    await expectDescribed('post /search', await gateway.post('/search', body, headers), status);
  });

  it.each(['get /chat/{request_id}', 'delete /chat/{request_id}', 'get /chat/{request_id}/stream'])(
    '%s of a run that is not there',
    async (name) => {
      const [method = '', path = ''] = name.split(' ');
      const response = await fetch(gateway.url + path.replace('{request_id}', 'x'), { method });
      await expectDescribed(name, response, 404);
    },
  );
});
