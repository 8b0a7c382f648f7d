import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeGroups } from '../src/routes.js';
import { openApiDocument } from '../src/openapi/openapi-document.js';
import type { OpenApiDocument } from '../src/openapi/openapi-objects.js';
import { describedResponses, type ResponseCheck } from './described-responses.js';
import { completed, deltas, failed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { foundPassages, playRetrieval } from './play-retrieval.js';
import { routesOf } from './routes-of.js';
import { answered } from './thread-turns.js';

let gateway: GatewayUnderTest;
let document: OpenApiDocument;
let expectDescribed: ResponseCheck;
beforeAll(async () => {
  gateway = await startGateway();
  document = (await (await gateway.get('/openapi.json')).json()) as OpenApiDocument;
  expectDescribed = describedResponses(document);
});
afterAll(() => gateway.close());

it('the served document is derived from the route objects', () => {
  const made = openApiDocument(routeGroups, document.info.version);
  expect(document).toEqual(JSON.parse(JSON.stringify(made)));
});

it('every mounted path and method has a route object, which is in the document', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(routesOf(gateway.app)).toEqual(described.sort());
});

describe('responses fit the document', () => {
  const accept = async () => {
    const response = await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' });
    return (await expectDescribed('post /chat', response, 202))['request_id'] as string;
  };

  it.each(['/chat', '/chat/run'])('the response of POST %s fits the document', async (path) => {
    const waiting = gateway.post(path, { message: `How do nodes talk at ${path}?` });
    const runId = await gateway.runOf(`How do nodes talk at ${path}?`);
    await gateway.conclude(completed(runId));
    await expectDescribed(`post ${path}`, await waiting, 200);
  });

  it('the response of POST /chat to a failed run fits the document', async () => {
    const waiting = gateway.post('/chat', { message: 'What fails?' });
    await gateway.conclude(failed(await gateway.runOf('What fails?')));
    await expectDescribed('post /chat', await waiting, 503);
  });

  it.each(['/chat', '/chat/stream'])('the stream of POST %s fits the document', async (path) => {
    const response = await gateway.post(path, { message: 'Hi', stream: true });
    const runId = response.headers.get('x-request-id') ?? '';
    await gateway.runLog.append(runId, 1, [
      { type: 'status', data: { request_id: runId, state: 'generating' } },
      ...deltas(runId, 'one', 'two'),
    ]);
    await gateway.conclude(completed(runId));
    await expectDescribed(`post ${path}`, response, 200);
  });

  it('the response to a replay fits the document', async () => {
    const ask = () =>
      gateway.post('/chat', { message: 'Again?' }, { 'idempotency-key': 'k1', prefer: 'respond-async' });
    await expectDescribed('post /chat', await ask(), 202);
    const replayed = await ask();
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    await expectDescribed('post /chat', replayed, 202);
    const other = await gateway.post('/chat', { message: 'Other?' }, { 'idempotency-key': 'k1' });
    await expectDescribed('post /chat', other, 409);
  });

  it('the responses about a queued, completed, failed and cancelled run fit the document', async () => {
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

  it('the responses to reading, changing and deleting a thread fit the document', async () => {
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

  it('the responses of POST /feedback fit the document', async () => {
    const { runId: request_id } = await answered(gateway.db);
    const say = (body: object) => gateway.post('/feedback', body);
    const said = { request_id, rating: 'up' };
    await expectDescribed('post /feedback', await say(said), 200);
    await expectDescribed('post /feedback', await say({ ...said, comment: 'It helped.' }), 200);
    await expectDescribed('post /feedback', await say({ ...said, rating: 'fine' }), 400);
    await expectDescribed('post /feedback', await say({ ...said, request_id: randomUUID() }), 404);
  });

  it('the response of POST /search fits the document', async () => {
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
  ])('the response of GET %s with %i fits the document', async (path, status) => {
    await expectDescribed(`get ${path.replace(/\?.*/, '')}`, await gateway.get(path), status);
  });

  it.each<[string, unknown, Record<string, string>, number]>([
    ['an empty question', { message: '' }, {}, 400],
    ['a long question', { message: 'x'.repeat(1001) }, {}, 400],
    ['a strange session', { message: 'Hi', session_id: 'me' }, {}, 400],
    ['several problems', { message: 'Hi', top_k: 99, what: 1 }, {}, 400],
    ['malformed JSON', '{', {}, 400],
    ['a text body', 'Hi', { 'content-type': 'text/plain' }, 415],
    ['a large body', { message: 'x'.repeat(300_000) }, {}, 413],
  ])(
    'the responses of POST /chat and /search to %s fit the document',
    async (_what, body, headers, status) => {
      await expectDescribed('post /chat', await gateway.post('/chat', body, headers), status);
      await expectDescribed('post /search', await gateway.post('/search', body, headers), status);
    },
  );

  it.each(['get /chat/{request_id}', 'delete /chat/{request_id}', 'get /chat/{request_id}/stream'])(
    'the response of %s to an unknown run fits the document',
    async (name) => {
      const [method = '', path = ''] = name.split(' ');
      const response = await fetch(gateway.url + path.replace('{request_id}', 'x'), { method });
      await expectDescribed(name, response, 404);
    },
  );
});
