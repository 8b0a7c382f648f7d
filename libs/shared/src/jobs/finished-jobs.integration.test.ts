import { randomUUID } from 'node:crypto';
import { eventually, testRedisUrl } from '@quire/testkit';
import { expect, it } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { workerForTest } from '../../test/workers.js';
import { InvalidInput } from '../errors/index.js';
import { jobKey, queueKey } from './bullmq/queue-keys.js';
import { jobCatalogue } from './job-catalogue.js';
import { openQueue } from './job-queue.js';

it('completed jobs above the number that is kept are removed', async () => {
  const url = await testRedisUrl();
  const redis = redisForTest(url);
  const queue = openQueue('chat', redis);
  const kept = jobCatalogue.chat.keepCompleted.count;
  let handled = 0;
  workerForTest(url, 'chat', async () => {
    handled += 1;
    return { outcome: 'completed' };
  });
  const deadline_at = Date.now() + 60_000;
  const ids = Array.from({ length: kept + 200 }, () => randomUUID());
  await Promise.all(ids.map((run_id) => queue.add(run_id, { run_id, deadline_at })));
  await eventually(() => expect(handled).toBe(ids.length));
  await eventually(async () => expect(await redis.zcard(queueKey('chat', 'completed'))).toBe(kept));
  expect(await redis.keys(jobKey('chat', '????????-*'))).toHaveLength(kept);
});

const ageOf = { completed: jobCatalogue.chat.keepCompleted.age, failed: jobCatalogue.chat.keepFailed.age };

it('finished jobs are removed at their age, failed ones later than completed ones', async () => {
  const url = await testRedisUrl();
  const redis = redisForTest(url);
  const queue = openQueue('chat', redis);
  const failing = new Set<string>();
  workerForTest(url, 'chat', async ({ run_id }) => {
    if (failing.has(run_id)) throw new InvalidInput('INVALID_REQUEST', 'cannot be answered');
    return { outcome: 'completed' };
  });
  const end = async (state: 'completed' | 'failed') => {
    const run_id = randomUUID();
    if (state === 'failed') failing.add(run_id);
    await queue.add(run_id, { run_id, deadline_at: Date.now() + 60_000 });
    await eventually(async () => expect(await queue.find(run_id)).toMatchObject({ state }));
    return run_id;
  };
  const age = async (state: 'completed' | 'failed', jobId: string, seconds: number) =>
    redis.zadd(queueKey('chat', state), Date.now() - seconds * 1000, jobId);
  const [completed, failed] = [await end('completed'), await end('failed')];
  for (const seconds of [ageOf.completed - 10, ageOf.completed + 10, ageOf.failed + 10]) {
    await age('completed', completed, seconds);
    await age('failed', failed, seconds);
    // BullMQ removes old jobs when another one ends.
    await Promise.all([end('completed'), end('failed')]);
    expect(await queue.statesOf([completed, failed])).toEqual([
      seconds < ageOf.completed ? 'completed' : 'missing',
      seconds < ageOf.failed ? 'failed' : 'missing',
    ]);
  }
});

it('failed jobs above the number that is kept are removed', async () => {
  const url = await testRedisUrl();
  const redis = redisForTest(url);
  const queue = openQueue('chat', redis);
  const kept = jobCatalogue.chat.keepFailed.count;
  const long = Array.from({ length: kept + 100 }, (_, i) => [Date.now() - 1000, `earlier-${i}`]).flat();
  await redis.zadd(queueKey('chat', 'failed'), ...long);
  workerForTest(url, 'chat', () => Promise.reject(new InvalidInput('INVALID_REQUEST', 'cannot be answered')));
  const run_id = randomUUID();
  await queue.add(run_id, { run_id, deadline_at: Date.now() + 60_000 });
  await eventually(async () => expect(await queue.find(run_id)).toMatchObject({ state: 'failed' }));
  expect(await redis.zcard(queueKey('chat', 'failed'))).toBe(kept);
});
