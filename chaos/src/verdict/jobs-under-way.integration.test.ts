import { randomUUID } from 'node:crypto';
import { openQueue } from '@quire/shared/jobs';
import { testRedisUrl } from '@quire/testkit';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { jobsUnderWay } from './jobs-under-way.js';

it('a job that waits in any queue is under way, also that of a summary', async () => {
  const url = await testRedisUrl();
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  onTestFinished(() => redis.disconnect());
  expect(await jobsUnderWay(url)).toEqual([]);
  const run = { run_id: randomUUID(), deadline_at: Date.now() };
  await openQueue('chat', redis).add('a run', run);
  const summary = { thread_id: randomUUID(), tenant: 'anyone', usage_id: randomUUID() };
  await openQueue('summary', redis).add('a summary', summary);
  expect(await jobsUnderWay(url)).toEqual([
    '1 waiting, 0 active, 0 delayed jobs in the chat queue',
    '1 waiting, 0 active, 0 delayed jobs in the summary queue',
  ]);
});
