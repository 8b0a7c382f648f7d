import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ApiKeyScope } from '@quire/shared/api-keys';
import type { ApiKey } from '@quire/shared/database';
import { createLogger } from '@quire/shared/logging';
import type { RequestHandler } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { noWorkers, redisAccess } from '../../test/limits-for-test.js';
import { Draining } from '../draining.js';
import { Limits } from '../limits/limits.js';
import { createApp } from './app.js';
import { mountRoutes } from './mount-routes.js';
import { contextOf } from './request-context.js';
import { route, type LimitClass, type Route } from './route.js';

const about = { operationId: 'test', summary: 'A test', responses: {} };
const echo = (path: string, limits: LimitClass = 'none', scope: ApiKeyScope = 'chat') =>
  route({
    ...about,
    method: 'post',
    path,
    scope,
    limits,
    pathParameters: {
      id: { description: 'An id', schema: z.uuid(), notFound: 'There is no thing with this id' },
    },
    query: { page: { description: 'A page', schema: z.string().regex(/^\d$/).optional() } },
    headers: { 'X-Size': { description: 'A size', schema: z.string().regex(/^\d$/).optional() } },
    body: { schema: z.strictObject({ name: z.string() }), examples: {} },
    handle: (deps: { calls: unknown[] }, { res, path: parameters, query, headers, body }) => {
      deps.calls.push({ parameters, query, headers, body });
      res.json({});
    },
  });

const ID = '3f2f6e0a-8f0e-4c6b-9f6e-111111111111';
const body = JSON.stringify({ name: 'n' });
const json = { 'content-type': 'application/json' };

/** Serves the routes to a caller whose key has these scopes. */
async function serve(routes: readonly Route<{ calls: unknown[] }>[], scopes: ApiKeyScope[] = ['chat']) {
  const calls: unknown[] = [];
  const limited: string[] = [];
  const draining = new Draining();
  const withKey: RequestHandler = (_req, res, next) => {
    contextOf(res).apiKey = { scopes } as ApiKey;
    next();
  };
  const routers = mountRoutes(routes, {
    calls,
    draining,
    limits: new Limits({
      rate: {
        count: () => {
          limited.push('counted');
          return Promise.resolve({ limit: 9, remaining: 8, nextMs: 0, resetMs: 1000, slice: 1 });
        },
        refund: () => Promise.resolve(void limited.push('refunded')),
      },
      slots: {
        take: () => {
          limited.push('taken');
          return Promise.resolve({ release: () => void limited.push('released') });
        },
      },
      redisAccess,
      capacities: noWorkers,
      defaults: { ratePerMinute: 9, maxConcurrent: 9 },
    }),
  });
  const logger = createLogger('test', 'silent');
  const app = createApp(logger, { ...routers, authenticate: withKey });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const send = async (path: string, init: RequestInit = { method: 'POST', headers: json, body }) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { error_code, message } = (await response.json()) as Record<string, string>;
    const { status, headers } = response;
    return { status, allow: headers.get('allow'), rateLimit: headers.get('ratelimit'), error_code, message };
  };
  return { send, calls, limited, draining };
}

it('a handler gets the parts of a request as its schemas parse them', async () => {
  const { send, calls } = await serve([echo('/things/{id}')]);
  const headers = { ...json, 'x-size': '3' };
  expect(await send(`/Things/${ID}/?page=2`, { method: 'POST', headers, body })).toMatchObject({
    status: 200,
  });
  expect(calls).toEqual([
    { parameters: { id: ID }, query: { page: '2' }, headers: { 'X-Size': '3' }, body: { name: 'n' } },
  ]);
});

it.each<[string, string, RequestInit, object]>([
  ['an unknown query parameter', `/things/${ID}?size=1`, {}, { status: 400, message: 'size is not known' }],
  ['a malformed header', `/things/${ID}`, { headers: { ...json, 'x-size': 'x' } }, { status: 400 }],
  ['a body of another type', `/things/${ID}`, { headers: {} }, { status: 415 }],
  ['an unknown field', `/things/${ID}`, { body: '{"name":"n","x":1}' }, { message: 'x is not known' }],
  ['a malformed id', '/things/7', {}, { status: 404, message: 'There is no thing with this id' }],
])('a request with %s is refused before its handler runs', async (_what, path, init, refusal) => {
  const { send, calls } = await serve([echo('/things/{id}')]);
  expect(await send(path, { method: 'POST', headers: json, body, ...init })).toMatchObject(refusal);
  expect(calls).toEqual([]);
});

it('another method on a path is refused with the allowed ones, which include HEAD where GET is one', async () => {
  const get = route({ ...about, method: 'get', path: '/x', scope: 'chat', limits: 'none', handle() {} });
  const { send } = await serve([get, { ...get, method: 'delete' }]);
  expect(await send('/x', { method: 'PUT' })).toMatchObject({
    status: 405,
    allow: 'GET, HEAD, DELETE',
    error_code: 'METHOD_NOT_ALLOWED',
    message: 'This address takes only GET and HEAD and DELETE',
  });
});

it('a key without the scope of a route is refused before anything of the request is checked', async () => {
  const { send } = await serve([echo('/things/{id}', 'none', 'admin')]);
  expect(await send('/things/7?nonsense=1', { method: 'POST' })).toMatchObject({
    status: 403,
    message: 'This API key lacks the scope `admin` that this address needs; it has `chat`',
  });
});

it.each<[LimitClass, string[]]>([
  ['none', []],
  ['rate', ['counted']],
  ['slot', ['counted', 'taken', 'released']],
  ['acceptance', []],
])('a valid request of the limit class %s takes %j around its handler', async (limits, taken) => {
  const { send, limited } = await serve([echo('/things/{id}', limits)]);
  expect(await send('/things/7')).toMatchObject({ status: 404 });
  expect(limited).toEqual([]);
  expect(await send(`/things/${ID}`)).toMatchObject({ status: 200 });
  expect(limited).toEqual(taken);
});

it.each<[LimitClass, string[], string | null]>([
  ['rate', ['counted', 'refunded'], null],
  ['slot', ['counted', 'taken', 'released', 'refunded', 'released'], '"per-minute";r=8;t=1'],
])(
  'a request of the limit class %s whose handler throws is refunded and has the RateLimit header %s',
  async (limits, taken, header) => {
    const failing = route({
      ...about,
      method: 'get',
      path: '/x',
      scope: 'chat',
      limits,
      handle() {
        throw new Error('broken');
      },
    });
    const { send, limited } = await serve([failing]);
    expect(await send('/x', {})).toMatchObject({ status: 500, rateLimit: header });
    expect(limited).toEqual(taken);
  },
);

it.each<[LimitClass, number]>([
  ['none', 200],
  ['rate', 200],
  ['slot', 503],
  ['acceptance', 503],
])('a request of the limit class %s gets %i while the gateway drains', async (limits, status) => {
  const { send, draining } = await serve([echo('/things/{id}', limits)]);
  draining.begin();
  expect(await send(`/things/${ID}`)).toMatchObject({ status });
});
