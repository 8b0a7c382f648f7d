import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openQueue } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { connectRedis } from '@quire/shared/redis';
import { RetrievalClient } from '@quire/shared/retrieval';
import { eventually, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { Draining } from '../src/draining.js';
import { createApp } from '../src/http/app.js';
import { mountRoutes } from '../src/http/mount-routes.js';
import { searchGroup } from '../src/search/search.routes.js';
import { limitsForTest } from './limits-for-test.js';
import { foundPassages, playRetrieval } from './play-retrieval.js';

const QUESTION = 'Which secret do nodes share?';

/** The route alone, so that its lines can be read. */
async function startSearch(searchTimeoutMs = 10_000) {
  const redisUrl = await testRedisUrl();
  const lines: string[] = [];
  const logger = createLogger('test', 'info', { write: (line) => lines.push(line) });
  const redis = connectRedis(redisUrl, 'worker', logger);
  const subscriber = connectRedis(redisUrl, 'subscriber', logger);
  const queue = openQueue('retrieval', redis);
  const retrieval = new RetrievalClient(queue, subscriber);
  await retrieval.start();
  const app = createApp(logger, {
    ...mountRoutes(searchGroup.routes, {
      retrieval,
      limits: limitsForTest(redis),
      draining: new Draining(),
      searchTimeoutMs,
    }),
    authenticate: undefined,
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await queue.close();
    redis.disconnect();
    subscriber.disconnect();
  });
  const search = (signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: QUESTION }),
      ...(signal && { signal }),
    });
  const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const ended = () =>
    eventually(() => {
      expect(logged().at(-1)).toMatchObject({ message: 'Request ended', path: '/search' });
    });
  return { redisUrl, queue, search, logged, ended };
}

it('a completed search is logged with its request id and without its query', async () => {
  const { redisUrl, search, logged, ended } = await startSearch();
  playRetrieval(redisUrl, () => Promise.resolve(foundPassages(QUESTION)));
  const response = await search();
  await ended();
  const request_id = response.headers.get('x-request-id');
  expect(logged()).toMatchObject([
    { level: 'info', request_id, message: 'Search answered', result_count: 2, confidence_level: 'medium' },
    { level: 'info', request_id, status: 200 },
  ]);
  expect(JSON.stringify(logged())).not.toContain('secret');
});

it('a refused search is logged with its request id and without its query', async () => {
  const { search, logged, ended } = await startSearch(200);
  const response = await search();
  await ended();
  const request_id = response.headers.get('x-request-id');
  expect(logged()).toMatchObject([
    { level: 'warn', request_id, error_code: 'RETRIEVAL_UNAVAILABLE' },
    { level: 'info', request_id, status: 503 },
  ]);
  expect(JSON.stringify(logged())).not.toContain('secret');
});

it('a search whose client has left is not logged as an error', async () => {
  const { queue, search, logged, ended } = await startSearch();
  const leaving = new AbortController();
  const searching = search(leaving.signal);
  await eventually(async () => expect(await queue.counts()).toMatchObject({ waiting: 1 }));
  leaving.abort();
  await expect(searching).rejects.toThrow();
  await ended();
  expect(logged()).toMatchObject([{ level: 'info', client_gone: true }]);
});
