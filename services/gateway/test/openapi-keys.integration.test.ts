import { randomUUID } from 'node:crypto';
import { announceCapacity } from '@quire/shared/process';
import { redisKeys } from '@quire/shared/redis';
import { eventually, startTcpProxy } from '@quire/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { routeGroups } from '../src/routes.js';
import { openApiDocument } from '../src/openapi/openapi-document.js';
import { createKey, type KeyForTest } from './api-keys-for-test.js';
import { describedResponses } from './described-responses.js';
import { completed, failed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { foundPassages, playRetrieval } from './play-retrieval.js';

const document = openApiDocument(routeGroups, '');
const expectDescribed = describedResponses(document);

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway({ auth: true });
});
afterAll(() => gateway.close());

const guarded = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { security }]) => security === undefined)
    .map(([method, { requestBody, responses }]) => ({
      name: `${method} ${path}`,
      codes: codesOf(responses),
      send: (headers: Record<string, string> = {}, at = gateway) => {
        const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
        return fetch(at.url + path.replaceAll(/\{\w+\}/g, randomUUID()), {
          method: method.toUpperCase(),
          headers: { ...headers, ...(example && { 'content-type': 'application/json' }) },
          ...(example && { body: JSON.stringify(example.value) }),
        });
      },
    })),
);

function codesOf(responses: object): string[] {
  const enums = JSON.stringify(responses).matchAll(/"error_code":\{"enum":(\[[^\]]*\])/g);
  return [...enums].flatMap(([, list = '[]']) => JSON.parse(list) as string[]);
}

/** Sends a request to every route with a key: exactly the routes that describe this error respond with it. */
async function expectWhereDescribed(code: string, status: number, key: KeyForTest, at = gateway) {
  const refusals = new Map<string, Response>();
  for (const { name, send } of guarded) {
    const response = await send(key.header, at);
    const { error_code } = await expectDescribed(name, response, response.status);
    if (error_code === code && response.status === status) refusals.set(name, response);
  }
  const described = guarded.filter(({ codes }) => codes.includes(code)).map(({ name }) => name);
  expect([...refusals.keys()]).toEqual(described);
  return [...refusals.values()];
}

function expectCounted(...responses: Response[]) {
  for (const { headers } of responses) {
    expect(headers.get('ratelimit')).not.toBeNull();
    expect(headers.get('ratelimit-policy')).not.toBeNull();
  }
}

const chat = (key: KeyForTest, path = '/chat', headers: Record<string, string> = {}) =>
  gateway.post(path, { message: 'Hi' }, { ...key.header, ...headers });

/** A stream that stays open until the test is over. */
async function holdOpen({ header }: KeyForTest) {
  const client = new AbortController();
  onTestFinished(() => client.abort());
  const response = await fetch(`${gateway.url}/chat/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...header },
    body: JSON.stringify({ message: 'Hi' }),
    signal: client.signal,
  });
  expect(response.status).toBe(200);
}

describe('refusals of keys fit the document', () => {
  it.each(guarded)(
    'the response of $name without a key and with an invalid one fits the document',
    async ({ name, send }) => {
      await expectDescribed(name, await send(), 401);
      await expectDescribed(name, await send({ authorization: 'Bearer wrong' }), 401);
    },
  );

  it.each(guarded)(
    'the response of $name to a key without the scope fits the document',
    async ({ name, send }) => {
      const { header } = await createKey(gateway.db, { scopes: ['admin'] });
      await expectDescribed(name, await send(header), 403);
    },
  );

  it('exactly the routes that describe RATE_LIMITED respond with it, as described', async () => {
    const key = await createKey(gateway.db, { ratePerMinute: 1 });
    expect((await chat(key, '/chat', { prefer: 'respond-async' })).status).toBe(202);
    expectCounted(...(await expectWhereDescribed('RATE_LIMITED', 429, key)));
  });

  it('exactly the routes that describe TOO_MANY_CONCURRENT respond with it, as described', async () => {
    playRetrieval(gateway.redisUrl, () => Promise.resolve(foundPassages()));
    const key = await createKey(gateway.db, { maxConcurrent: 1 });
    await holdOpen(key);
    expectCounted(...(await expectWhereDescribed('TOO_MANY_CONCURRENT', 429, key)));
  });

  it('exactly the routes that describe OVERLOADED respond with it, as described', async () => {
    const busy = await startGateway({ auth: true, maxExpectedWaitMs: 5000 });
    onTestFinished(() => busy.close());
    onTestFinished(announceCapacity(busy.redis, () => ({ concurrency: 1, service_ms: 10_000 })));
    await eventually(async () => expect(await busy.redis.zcard(redisKeys.agentCapacity)).toBe(1));
    playRetrieval(busy.redisUrl, () => Promise.resolve(foundPassages()));
    const key = await createKey(busy.db);
    const ask = () => busy.post('/chat', { message: 'Hi' }, { ...key.header, prefer: 'respond-async' });
    expect((await ask()).status).toBe(202);
    expectCounted(...(await expectWhereDescribed('OVERLOADED', 503, key, busy)));
  });

  it('exactly the routes that describe SHUTTING_DOWN respond with it while the gateway drains', async () => {
    const stopping = await startGateway({ auth: true, drainNoticeMs: 3000 });
    onTestFinished(() => stopping.close());
    const key = await createKey(stopping.db);
    void stopping.stopService();
    await eventually(async () => expect((await stopping.get('/health/ready')).status).toBe(503));
    await expectWhereDescribed('SHUTTING_DOWN', 503, key, stopping);
  });

  it('exactly the routes that describe STORAGE_UNAVAILABLE respond with it when a key cannot be looked up', async () => {
    const proxy = await startTcpProxy(gateway.databaseUrl);
    const cut = await startGateway({ auth: true, redisUrl: gateway.redisUrl, databaseUrl: proxy.url });
    onTestFinished(async () => {
      await cut.close();
      await proxy.close();
    });
    await proxy.cut();
    await expectWhereDescribed('STORAGE_UNAVAILABLE', 503, await createKey(gateway.db), cut);
  });
});

describe('responses to a key fit the document and have rate limit headers', () => {
  const expectAnswer: typeof expectDescribed = (operation, response, status) => {
    expectCounted(response);
    return expectDescribed(operation, response, status);
  };

  it.each(['/chat', '/chat/run'])(
    'the responses of POST %s to a key have rate limit headers',
    async (path) => {
      const key = await createKey(gateway.db);
      const message = `With a key at ${path}?`;
      const waiting = gateway.post(path, { message }, key.header);
      await gateway.conclude(completed(await gateway.runOf(message)));
      await expectAnswer(`post ${path}`, await waiting, 200);
      await expectAnswer(`post ${path}`, await chat(key, path, { prefer: 'respond-async' }), 202);
    },
  );

  it('the response of POST /chat/stream to a key has rate limit headers', async () => {
    const response = await chat(await createKey(gateway.db), '/chat/stream');
    await gateway.conclude(completed(response.headers.get('x-request-id') ?? ''));
    await expectAnswer('post /chat/stream', response, 200);
  });

  it('the response of POST /search to a key has rate limit headers', async () => {
    playRetrieval(gateway.redisUrl, () => Promise.resolve(foundPassages()));
    const { header } = await createKey(gateway.db);
    await expectAnswer('post /search', await gateway.post('/search', { query: 'Nodes?' }, header), 200);
  });

  it('the response of POST /chat to a failed run has rate limit headers', async () => {
    const { header } = await createKey(gateway.db);
    const message = 'With a failure?';
    const waiting = gateway.post('/chat', { message }, header);
    const request_id = await gateway.runOf(message);
    await gateway.conclude(failed(request_id));
    await expectAnswer('post /chat', await waiting, 503);
  });
});

it('the responses to a replay of a cancelled run fit the document', async () => {
  const { header } = await createKey(gateway.db);
  const ask = (path: string, more: Record<string, string> = {}) =>
    gateway.post(path, { message: 'Again?' }, { ...header, 'idempotency-key': 'k1', ...more });
  const accepted = await expectDescribed('post /chat', await ask('/chat', { prefer: 'respond-async' }), 202);
  await fetch(`${gateway.url}/chat/${String(accepted['request_id'])}`, { method: 'DELETE', headers: header });
  const replays: [string, Response, number][] = [
    ['post /chat', await ask('/chat', { prefer: 'respond-async' }), 202],
    ['post /chat/run', await ask('/chat/run'), 409],
    ['post /chat/stream', await ask('/chat/stream'), 200],
    ['post /chat/stream', await ask('/chat/stream', { 'last-event-id': '2' }), 204],
  ];
  for (const [operation, response, status] of replays) {
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    expect(response.headers.get('ratelimit')).toBeNull();
    await expectDescribed(operation, response, status);
  }
});
