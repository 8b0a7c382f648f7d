import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { everythingIn } from '../../test/everything-in.js';
import { redisForTest } from '../../test/open-for-test.js';
import { retrievalResult } from '../../test/retrieval-samples.js';
import { stallActiveJobs } from '../../test/stall-job.js';
import { workerForTest } from '../../test/workers.js';
import { DeadlineExceeded, InvalidInput } from '../errors/index.js';
import { openQueue, type JobHandler, type JobQueue } from '../jobs/index.js';
import { redisKeys } from '../redis/index.js';
import { RetrievalClient } from './retrieval-client.js';

const QUESTION = 'Which secret do nodes share?';

let url: string;
let redis: Redis;
let queue: JobQueue<'retrieval'>;
let client: RetrievalClient;

beforeEach(async () => {
  url = await testRedisUrl();
  redis = redisForTest(url);
  await redis.flushdb();
  queue = openQueue('retrieval', redis);
  client = new RetrievalClient(queue, redisForTest(url, 'subscriber'), 50);
  await client.start();
});

const search = (within = 60_000) =>
  client.search(
    { query: QUESTION, top_k: 5 },
    {
      requestId: randomUUID(),
      deadlineAt: Date.now() + within,
      signal: new AbortController().signal,
    },
  );
const serve = (handle: JobHandler<'retrieval'>, lockMs?: number, workerUrl = url) =>
  workerForTest(workerUrl, 'retrieval', handle, lockMs === undefined ? {} : { lockMs });
const expectForgotten = () =>
  eventually(async () => expect(await everythingIn(redis)).not.toContain('secret'));

it('neither question nor passages of a completed search stay in Redis', async () => {
  serve(async ({ query, reply_to }, { jobId }) => {
    const result = retrievalResult(query);
    await redis.publish(
      redisKeys.replyChannel(reply_to),
      JSON.stringify({ job_id: jobId, ok: true, result }),
    );
    // The search ends while the worker still holds the job.
    await sleep(200);
    return result;
  });
  expect(await search()).toEqual(retrievalResult(QUESTION));
  expect(await everythingIn(redis)).toContain('secret');
  await expectForgotten();
});

it('the question of a failed search does not stay in Redis', async () => {
  serve(() => Promise.reject(new InvalidInput('INVALID_REQUEST', 'cannot be searched')));
  await expect(search()).rejects.toThrow(InvalidInput);
  await expectForgotten();
});

it('the question of a search that no worker took in time does not stay in Redis', async () => {
  await expect(search(100)).rejects.toThrow(DeadlineExceeded);
  await expectForgotten();
  expect(await queue.counts()).toMatchObject({ waiting: 0 });
});

it('the question of a search that ended before its job does not stay in Redis', async () => {
  serve(async ({ query }) => {
    await sleep(1000);
    return retrievalResult(query);
  });
  await expect(search(100)).rejects.toThrow(DeadlineExceeded);
  await expectForgotten();
});

it.each(['cut', 'pause'] as const)(
  'the question of a search does not stay in Redis although Redis was away at its end (%s)',
  async (fault) => {
    const proxy = await startTcpProxy(url);
    onTestFinished(() => proxy.close());
    queue = openQueue('retrieval', redisForTest(proxy.url, 'request'));
    client = new RetrievalClient(queue, redisForTest(url, 'subscriber'), 50);
    await client.start();
    serve(() => Promise.reject(new InvalidInput('INVALID_REQUEST', 'cannot be searched')));
    await expect(search()).rejects.toThrow(InvalidInput);
    const firstCommand = vi.spyOn(queue, 'statesOf');
    await proxy[fault]();
    await eventually(() => expect(firstCommand.mock.settledResults[0]?.type).toBe('rejected'));
    expect(await everythingIn(redis)).toContain('secret');
    await proxy.restore();
    await expectForgotten();
  },
);

it('the events of a queue that was wiped hold neither questions nor passages', async () => {
  await redis.flushdb();
  serve(({ query }) => Promise.resolve(retrievalResult(query)));
  for (let i = 0; i < 5; i += 1) await search();
  await expectForgotten();
});

it('a retrieval job that crashed its workers is kept for inspection, without its question', async () => {
  // No lock expires during the test.
  const lockMs = 300_000;
  const searching = search().catch((error: unknown) => error);
  let lost = 0;
  while (lost < 3) {
    const proxy = await startTcpProxy(url);
    onTestFinished(() => proxy.close());
    onTestFinished(() => proxy.restore());
    const taken = new Promise<void>((resolve) => {
      serve(
        ({ query }, { signal }) => {
          resolve();
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error(query))));
        },
        lockMs,
        proxy.url,
      );
    });
    await taken;
    lost += 1;
    await proxy.cut();
    await stallActiveJobs(redis, 'retrieval');
  }
  serve(() => Promise.resolve(retrievalResult()), lockMs);
  expect(await searching).toMatchObject({ code: 'INTERNAL' });
  await expectForgotten();
  const bull = new Queue('retrieval', { connection: redis, prefix: redisKeys.queuePrefix('retrieval') });
  onTestFinished(() => bull.close());
  const [poison] = await bull.getFailed();
  expect(poison?.failedReason).toContain('crashed 3 workers');
  expect(poison?.data).toMatchObject({ top_k: 5, request_id: expect.any(String) });
});
