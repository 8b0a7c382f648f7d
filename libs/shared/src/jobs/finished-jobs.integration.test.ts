import { randomUUID } from 'node:crypto';
import { eventually, testRedisUrl } from '@quire/testkit';
import { expect, it } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { workerForTest } from '../../test/workers.js';
import { redisKeys } from '../redis/index.js';
import { jobCatalogue } from './job-catalogue.js';
import { openQueue } from './job-queue.js';

it('jobs that have ended are kept by number, not for ever', async () => {
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
  await eventually(() => expect(handled).toBe(ids.length), { timeoutMs: 25_000 });
  const prefix = `${redisKeys.queuePrefix('chat')}:chat`;
  await eventually(async () => expect(await redis.zcard(`${prefix}:completed`)).toBe(kept));
  expect(await redis.keys(`${prefix}:????????-*`)).toHaveLength(kept);
});
