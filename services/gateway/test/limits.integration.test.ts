import { randomUUID } from 'node:crypto';
import { DependencyUnavailable } from '@quire/shared/errors';
import { announceCapacity } from '@quire/shared/process';
import { redisKeys } from '@quire/shared/redis';
import { eventually, startPrivateRedis, startTcpProxy } from '@quire/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createKey, rotateKey, type KeyForTest } from './api-keys-for-test.js';
import { completed, failed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { foundPassages, playRetrieval } from './play-retrieval.js';
import { answered } from './thread-turns.js';

const ASYNC = { prefer: 'respond-async' };
let gateway: GatewayUnderTest;
let other: GatewayUnderTest;
const sharing = (more: object = {}) => ({
  auth: true,
  redisUrl: gateway.redisUrl,
  databaseUrl: gateway.databaseUrl,
  ...more,
});
beforeAll(async () => {
  gateway = await startGateway({ auth: true, ratePerMinute: 5 });
  other = await startGateway(sharing({ ratePerMinute: 5 }));
});
afterAll(async () => {
  await other.close();
  await gateway.close();
});

const ask = ({ header }: KeyForTest, headers: Record<string, string> = ASYNC, at = gateway) =>
  at.post('/chat', { message: 'Hi' }, { ...header, ...headers });
const countedOf = async ({ callerId }: KeyForTest) =>
  (await gateway.redis.hvals(redisKeys.requestRate(callerId))).reduce((sum, n) => sum + Number(n), 0);
const slotsOf = ({ callerId }: KeyForTest) => redisKeys.requestSlots(callerId);
const runIdOf = ({ headers }: Response) => headers.get('x-request-id') ?? '';
const rowCount = async () => (await gateway.db.selectFrom('runs').select('id').execute()).length;

/** A stream that stays open until the test closes it. */
async function open({ header }: KeyForTest, at = gateway) {
  const client = new AbortController();
  onTestFinished(() => client.abort());
  const response = await fetch(`${at.url}/chat/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...header },
    body: JSON.stringify({ message: 'Hi' }),
    signal: client.signal,
  });
  return { response, close: () => client.abort() };
}

it('requests a minute are counted for all gateways together, and the RateLimit headers say how many are left', async () => {
  const key = await createKey(gateway.db);
  for (const left of [4, 3, 2, 1, 0]) {
    const { status, headers } = await ask(key, ASYNC, left % 2 ? gateway : other);
    expect(status).toBe(202);
    expect(headers.get('ratelimit-policy')).toBe('"per-minute";q=5;w=60');
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"per-minute";r=${left};t=\\d+$`));
  }
  const before = await rowCount();
  const refused = await ask(key);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error_code: 'RATE_LIMITED' });
  expect(refused.headers.get('ratelimit')).toMatch(/^"per-minute";r=0;t=\d+$/);
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(await rowCount()).toBe(before);
  // As if the minute were over.
  await gateway.redis.del(redisKeys.requestRate(key.callerId));
  expect((await ask(key)).status).toBe(202);
});

it('each key has its own limit of requests a minute, which may be set for it', async () => {
  const [one, narrow] = [await createKey(gateway.db), await createKey(gateway.db, { ratePerMinute: 1 })];
  expect((await ask(narrow)).status).toBe(202);
  expect((await ask(narrow)).status).toBe(429);
  expect((await ask(one)).status).toBe(202);
});

it('questions, searches and changes count as requests; reads and cancels do not', async () => {
  playRetrieval(gateway.redisUrl, () => Promise.resolve(foundPassages()));
  const key = await createKey(gateway.db, { ratePerMinute: 5 });
  const { runId, threadId } = await answered(gateway.db, { tenant: key.tenant });
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', ...ASYNC, ...key.header };
    const { status, headers: said } = await fetch(gateway.url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status, left: /r=(\d+)/.exec(said.get('ratelimit') ?? '')?.[1] };
  };
  const free: [string, string][] = [
    ['GET', '/threads'],
    ['GET', `/threads/${threadId}`],
    ['GET', `/chat/${runId}`],
    ['GET', `/chat/${runId}/stream`],
    ['DELETE', `/chat/${runId}`],
  ];
  for (const [method, path] of free)
    expect(await send(method, path)).toEqual({ status: expect.any(Number) as number, left: undefined });
  const counted = [
    () => send('POST', '/chat', { message: 'Hi' }),
    () => send('POST', '/search', { query: 'nodes' }),
    () => send('POST', '/feedback', { request_id: runId, rating: 'up' }),
    () => send('PATCH', `/threads/${threadId}`, { metadata: { a: 1 } }),
    () => send('DELETE', `/threads/${threadId}`),
  ];
  for (const [i, request] of counted.entries()) {
    const { status, left } = await request();
    expect([status < 300, left]).toEqual([true, `${4 - i}`]);
  }
  for (const request of counted) expect((await request()).status).toBe(429);
  expect((await gateway.get('/threads', key.header)).status).toBe(200);
});

it('a request that fails with a 503 or a 404 is not counted', async () => {
  playRetrieval(gateway.redisUrl, () =>
    Promise.reject(new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'x')),
  );
  const key = await createKey(gateway.db, { ratePerMinute: 1 });
  const path = `/threads/${randomUUID()}`;
  const headers = { 'content-type': 'application/json', ...key.header };
  const refused = [
    await gateway.post('/search', { query: 'nodes' }, key.header),
    await gateway.post('/feedback', { request_id: randomUUID(), rating: 'up' }, key.header),
    await fetch(gateway.url + path, { method: 'PATCH', headers, body: '{"metadata":{}}' }),
    await fetch(gateway.url + path, { method: 'DELETE', headers: key.header }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([503, 404, 404, 404]);
  expect((await ask(key)).status).toBe(202);
});

it('an invalid request is not counted', async () => {
  const key = await createKey(gateway.db, { ratePerMinute: 1 });
  expect((await gateway.post('/chat', { message: '' }, key.header)).status).toBe(400);
  for (const path of ['/search', '/feedback'])
    expect((await gateway.post(path, {}, key.header)).status).toBe(400);
  expect((await ask(key)).status).toBe(202);
});

it('idempotent replays are not counted, not even concurrent ones', async () => {
  const key = await createKey(gateway.db, { ratePerMinute: 20, maxConcurrent: 20 });
  const headers = { ...ASYNC, 'idempotency-key': randomUUID() };
  const responses = await Promise.all(
    Array.from({ length: 15 }, (_, i) => ask(key, headers, i % 2 ? gateway : other)),
  );
  for (const { status } of responses) expect(status).toBe(202);
  await eventually(async () => expect(await countedOf(key)).toBe(1));
  for (let i = 0; i < 30; i += 1) expect((await ask(key, headers)).status).toBe(202);
  await eventually(async () => expect(await countedOf(key)).toBe(1));
});

it('concurrent requests with one Idempotency-Key need one slot', async () => {
  const key = await createKey(gateway.db, { ratePerMinute: 1, maxConcurrent: 1 });
  const headers = { ...ASYNC, 'idempotency-key': randomUUID() };
  const responses = await Promise.all(Array.from({ length: 20 }, () => ask(key, headers)));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 202));
  expect(new Set(responses.map(runIdOf)).size).toBe(1);
});

it('a key and the one it is rotated into share their limits', async () => {
  const old = await createKey(gateway.db, { ratePerMinute: 3, maxConcurrent: 2 });
  const made = await rotateKey(gateway.db, old);
  const codeOf = async (refused: Response) => ((await refused.json()) as { error_code: string }).error_code;
  const { response } = await open(old);
  expect((await ask(made)).status).toBe(202);
  expect(await codeOf(await ask(made))).toBe('TOO_MANY_CONCURRENT');
  await gateway.conclude(completed(runIdOf(response)));
  await eventually(async () => expect((await ask(old)).status).toBe(202));
  for (const key of [old, made]) expect(await codeOf(await ask(key))).toBe('RATE_LIMITED');
});

it('a replay is returned when the limits are exhausted, and takes no permit', async () => {
  const key = await createKey(gateway.db, { ratePerMinute: 2, maxConcurrent: 2 });
  const headers = { ...ASYNC, 'idempotency-key': randomUUID() };
  expect((await ask(key, headers)).status).toBe(202);
  expect((await open(key)).response.status).toBe(200);
  expect((await ask(key)).status).toBe(429);
  for (let i = 0; i < 3; i += 1) {
    const replay = await ask(key, headers);
    expect(replay.status).toBe(202);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
  }
});

it('a key holds at most ten slots on all gateways together; the end of a run releases its slot', async () => {
  const key = await createKey(gateway.db, { ratePerMinute: 100 });
  const streams = await Promise.all(Array.from({ length: 10 }, (_, i) => open(key, i % 2 ? gateway : other)));
  for (const { response } of streams) expect(response.status).toBe(200);
  const before = await rowCount();
  const { response: refused } = await open(key, other);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await refused.json()).toMatchObject({ error_code: 'TOO_MANY_CONCURRENT' });
  expect(await rowCount()).toBe(before);
  // Another key of the same tenant has places of its own.
  expect((await open(await createKey(gateway.db))).response.status).toBe(200);
  await gateway.conclude(completed(streams[1]?.response.headers.get('x-request-id') ?? ''));
  await eventually(async () => expect((await open(key)).response.status).toBe(200));
  expect((await open(key)).response.status).toBe(429);
});

it('Retry-After of questions refused for lack of a slot follows the execution time of runs, with jitter', async () => {
  const slow = await startGateway({ auth: true, maxConcurrent: 2, ratePerMinute: 1000 });
  onTestFinished(() => slow.close());
  onTestFinished(announceCapacity(slow.redis, () => ({ concurrency: 500, service_ms: 40_000 })));
  await eventually(async () => expect(await slow.redis.zcard(redisKeys.agentCapacity)).toBe(1));
  const key = await createKey(slow.db);
  for (let i = 0; i < 2; i += 1) expect((await ask(key, ASYNC, slow)).status).toBe(202);
  const refused = await Promise.all(Array.from({ length: 40 }, () => ask(key, ASYNC, slow)));
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  const delays = refused.map(({ headers }) => Number(headers.get('retry-after')));
  // Two runs of 40 s end in 20 s on average; all come back within the time of one.
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(20);
  expect(Math.max(...delays)).toBeLessThanOrEqual(60);
  expect(new Set(delays).size).toBeGreaterThan(5);
});

it('a run holds its slot until it has ended, also after its client has left', async () => {
  const key = await createKey(gateway.db, { ratePerMinute: 100, maxConcurrent: 2 });
  const accepted = await ask(key);
  expect(accepted.status).toBe(202);
  const left = await open(key);
  left.close();
  const stillFull = async () => expect((await ask(key)).status).toBe(429);
  await eventually(stillFull);
  await eventually(async () =>
    expect(await gateway.redis.pubsub('CHANNELS', redisKeys.runChannel(runIdOf(left.response)))).toEqual([]),
  );
  // A check of the ends of runs that release this slot has seen those, too.
  const another = await createKey(gateway.db);
  await gateway.conclude(completed(runIdOf(await ask(another))));
  await eventually(async () => expect(await gateway.redis.zcard(slotsOf(another))).toBe(0));
  await stillFull();
  for (const response of [accepted, left.response]) {
    await gateway.conclude(completed(runIdOf(response)));
    await eventually(async () => expect((await ask(key)).status).toBe(202));
    await stillFull();
  }
});

it('a search holds a slot until its response', async () => {
  let [begin, answer] = [(): void => undefined, (): void => undefined];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const held = new Promise<void>((resolve) => (answer = resolve));
  playRetrieval(gateway.redisUrl, () => {
    begin();
    return held.then(() => foundPassages());
  });
  const key = await createKey(gateway.db, { ratePerMinute: 100, maxConcurrent: 1 });
  const search = () => gateway.post('/search', { query: 'nodes' }, key.header);
  const first = search();
  await begun;
  for (const refused of [await ask(key), await search()])
    expect(await refused.json()).toMatchObject({ error_code: 'TOO_MANY_CONCURRENT' });
  answer();
  expect((await first).status).toBe(200);
  expect((await search()).status).toBe(200);
  expect((await ask(key)).status).toBe(202);
});

it('an overdue run releases its slot, also if no worker is alive to end it', async () => {
  const brief = await startGateway(sharing({ deadlineMs: 500 }));
  onTestFinished(() => brief.close());
  const key = await createKey(gateway.db, { ratePerMinute: 100, maxConcurrent: 1 });
  expect((await ask(key, ASYNC, brief)).status).toBe(202);
  expect((await ask(key, ASYNC, brief)).status).toBe(429);
  await eventually(async () => expect((await ask(key, ASYNC, brief)).status).toBe(202));
});

it('a question refused for lack of a slot is not counted as a request', async () => {
  const key = await createKey(gateway.db, { ratePerMinute: 3, maxConcurrent: 1 });
  const { response } = await open(key);
  for (let i = 0; i < 5; i += 1) {
    const refused = await ask(key);
    expect(await refused.json()).toMatchObject({ error_code: 'TOO_MANY_CONCURRENT' });
  }
  await gateway.conclude(completed(runIdOf(response)));
  await eventually(async () => expect((await ask(key)).status).toBe(202));
  await eventually(async () => expect(await countedOf(key)).toBe(2));
});

it('a gateway that stops releases its slots', async () => {
  const stopping = await startGateway(sharing());
  onTestFinished(() => stopping.close());
  const key = await createKey(gateway.db, { ratePerMinute: 100, maxConcurrent: 1 });
  expect((await ask(key, ASYNC, stopping)).status).toBe(202);
  expect((await ask(key)).status).toBe(429);
  await stopping.stopService();
  expect((await ask(key)).status).toBe(202);
});

it('a JSON question holds a slot too, and releases it when its run fails', async () => {
  const key = await createKey(gateway.db, { ratePerMinute: 100, maxConcurrent: 1 });
  const message = randomUUID();
  const answer = gateway.post('/chat', { message }, key.header);
  const runId = await gateway.runOf(message);
  expect((await open(key)).response.status).toBe(429);
  await gateway.conclude(failed(runId));
  expect((await answer).status).toBe(503);
  await eventually(async () => expect((await ask(key)).status).toBe(202));
});

it('a replay that is followed holds no slot', async () => {
  const key = await createKey(gateway.db, { ratePerMinute: 100, maxConcurrent: 2 });
  const headers = { 'idempotency-key': randomUUID() };
  expect((await ask(key, { ...ASYNC, ...headers })).status).toBe(202);
  const client = new AbortController();
  onTestFinished(() => client.abort());
  for (let i = 0; i < 3; i += 1) {
    const replay = await fetch(`${gateway.url}/chat`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...headers,
        ...key.header,
      },
      body: JSON.stringify({ message: 'Hi' }),
      signal: client.signal,
    });
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
  }
  expect((await open(key)).response.status).toBe(200);
});

it('while Redis is away questions and searches are refused with a Retry-After', async () => {
  const proxy = await startTcpProxy(gateway.redisUrl);
  const cut = await startGateway(sharing({ redisUrl: proxy.url }));
  onTestFinished(async () => {
    await cut.close();
    await proxy.close();
  });
  const key = await createKey(gateway.db);
  expect((await ask(key, ASYNC, cut)).status).toBe(202);
  const before = await rowCount();
  await proxy.cut();
  for (const refused of [await ask(key, ASYNC, cut), await cut.post('/search', { query: 'x' }, key.header)]) {
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ error_code: 'QUEUE_UNAVAILABLE' });
  }
  expect(await rowCount()).toBe(before);
});

it('while Redis takes no writes questions are refused before their rows are inserted', async () => {
  const full = await startPrivateRedis();
  const cut = await startGateway(sharing({ redisUrl: full.url }));
  onTestFinished(async () => {
    await cut.close();
    await full.cleanup();
  });
  const key = await createKey(gateway.db);
  const before = await rowCount();
  await cut.redis.config('SET', 'maxmemory', '1');
  const refused = await ask(key, ASYNC, cut);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error_code: 'QUEUE_UNAVAILABLE' });
  expect(await rowCount()).toBe(before);
});

it('without authentication there is no limit', async () => {
  const local = await startGateway(sharing({ auth: false, ratePerMinute: 1, maxConcurrent: 1 }));
  onTestFinished(() => local.close());
  for (let i = 0; i < 3; i += 1) {
    const response = await local.post('/chat', { message: 'Hi' }, ASYNC);
    expect(response.status).toBe(202);
    expect(response.headers.get('ratelimit')).toBeNull();
  }
});
