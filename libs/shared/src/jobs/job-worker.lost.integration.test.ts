import { randomUUID } from 'node:crypto';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { stallActiveJobs, stallJob } from '../../test/stall-job.js';
import { workerForTest } from '../../test/workers.js';
import { jobFields, jobKey, lockKey, queueKey } from './bullmq/queue-keys.js';
import { openQueue } from './job-queue.js';
import { longestTakeoverMs } from './job-worker.js';
import type { JobHandler } from './running-jobs.js';

const deadlineAt = () => Date.now() + 60_000;

/** Until the worker is closed at the end of the test. */
const untilClosed = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('closed'))));

interface Life {
  isOver(): boolean;
  end(): void;
}

/** A worker whose connection can be cut: for the queue that is the same as the death of its process. */
async function mortalWorker(url: string, handle: (life: Life) => JobHandler<'chat'>): Promise<Life> {
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  let isOver = false;
  const life = {
    isOver: () => isOver,
    end() {
      isOver = true;
      void proxy.cut();
    },
  };
  // No lock runs out by itself while the test lasts.
  workerForTest(proxy.url, 'chat', handle(life), { lockMs: 300_000, concurrency: 20 });
  onTestFinished(() => proxy.restore());
  return life;
}

it('a job that crashed three workers is failed and kept, and none that they executed beside it is', async () => {
  const url = await testRedisUrl();
  const redis = redisForTest(url);
  const queue = openQueue('chat', redis);
  const poison = randomUUID();
  const bystanders = Array.from({ length: 6 }, () => randomUUID());
  const done = new Set<string>();
  let crashes = 0;
  const handle = (life: Life): JobHandler<'chat'> => {
    const beside = new Set<string>();
    return async ({ run_id }, { signal }) => {
      if (run_id === poison) {
        if (crashes < 2) await eventually(() => expect(beside).toEqual(new Set(bystanders)));
        crashes += 1;
        life.end();
      } else beside.add(run_id);
      if (crashes < 2 || life.isOver()) return untilClosed(signal);
      done.add(run_id);
      return { outcome: 'completed' };
    };
  };
  for (const id of [...bystanders.slice(0, 3), poison, ...bystanders.slice(3)])
    await queue.add(id, { run_id: id, deadline_at: deadlineAt() });
  for (let lives = 0; lives < 3; lives += 1) {
    const life = await mortalWorker(url, handle);
    await eventually(() => expect(life.isOver()).toBe(true));
    await stallActiveJobs(redis, 'chat');
  }
  await mortalWorker(url, handle);
  await eventually(async () => {
    expect(await queue.statesOf(bystanders)).toEqual(bystanders.map(() => 'completed'));
    expect(await queue.find(poison)).toMatchObject({ state: 'failed' });
  });
  expect(crashes).toBe(3);
  expect(done).toEqual(new Set(bystanders));
});

it('a suspect that its worker had fetched, but not begun when it crashed, is not given up', async () => {
  const url = await testRedisUrl();
  const redis = redisForTest(url);
  const queue = openQueue('chat', redis);
  const [first, second] = [randomUUID(), randomUUID()];
  let finishFirst = (): void => undefined;
  const firstFinished = new Promise<void>((resolve) => (finishFirst = resolve));
  const begun: string[] = [];
  for (const id of [first, second]) {
    await queue.add(id, { run_id: id, deadline_at: deadlineAt() });
    await redis.hset(jobKey('chat', id), jobFields.stalls, 2);
  }
  workerForTest(url, 'chat', async ({ run_id }) => {
    begun.push(run_id);
    if (run_id === first) await firstFinished;
    return { outcome: 'completed' };
  });
  const isDelayed = () =>
    eventually(async () => expect(await redis.zscore(queueKey('chat', 'delayed'), second)).not.toBeNull());
  await isDelayed();
  await redis.zrem(queueKey('chat', 'delayed'), second);
  await stallJob(redis, 'chat', second);
  await isDelayed();
  finishFirst();
  await eventually(async () =>
    expect(await queue.statesOf([first, second])).toEqual(['completed', 'completed']),
  );
  expect(begun).toEqual([first, second]);
});

it('a job of a worker that has died is with another one within ten seconds', () => {
  expect(longestTakeoverMs('chat')).toBeLessThanOrEqual(10_000);
  expect(longestTakeoverMs('retrieval')).toBeLessThanOrEqual(10_000);
});

describe('a job that loses its lock while its worker lives, as when Redis was away', () => {
  /** Long enough for a worker on a busy machine to renew it in time; it is renewed several times a second. */
  const LOCK_MS = 5000;
  /** More than a job may cost its workers their life. */
  const LOSSES = 4;

  async function held(workers: number, concurrency: number) {
    const url = await testRedisUrl();
    const redis = redisForTest(url);
    const queue = openQueue('chat', redis);
    const runId = randomUUID();
    let begun = 0;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    for (let i = 0; i < workers; i += 1) {
      workerForTest(
        url,
        'chat',
        async () => {
          begun += 1;
          await finished;
          return { outcome: 'completed' };
        },
        { lockMs: LOCK_MS, concurrency },
      );
    }
    await queue.add(runId, { run_id: runId, deadline_at: deadlineAt() });
    const lock = lockKey('chat', runId);
    const lockHolder = () => redis.get(lock);
    const presentHolder = () =>
      eventually(async () => {
        const holder = await lockHolder();
        expect(holder).not.toBeNull();
        return holder;
      });
    /** To the queue, as by a check for stalled jobs; until a worker has taken the job anew and the loss is excused. */
    const loseJob = async () => {
      const before = await presentHolder();
      await stallJob(redis, 'chat', runId);
      await eventually(async () => {
        const holder = await lockHolder();
        expect(holder).not.toBeNull();
        expect(holder).not.toBe(before);
        const [stalls, excused] = await redis.hmget(jobKey('chat', runId), jobFields.stalls, 'quire:excused');
        expect(excused).toBe(stalls);
      });
    };
    /** Before any check for stalled jobs; until it is back. */
    const loseLock = async () => {
      const before = await presentHolder();
      await redis.set(queueKey('chat', 'stalled-check'), 'under way');
      await redis.del(lock);
      await eventually(async () => expect(await lockHolder()).toBe(before));
      await redis.del(queueKey('chat', 'stalled-check'));
    };
    /** Two checks: the first notes the job as perhaps stalled, the second would move it. */
    const passChecks = async () => {
      let last = await redis.get(queueKey('chat', 'stalled-check'));
      for (let check = 0; check < 2; check += 1) {
        last = await eventually(async () => {
          const latest = await redis.get(queueKey('chat', 'stalled-check'));
          expect(latest).not.toBeNull();
          expect(latest).not.toBe(last);
          return latest;
        });
      }
    };
    const renewLock = async () => {
      const before = await redis.pexpiretime(lock);
      await eventually(async () => expect(await redis.pexpiretime(lock)).toBeGreaterThan(before));
    };
    return { queue, runId, begun: () => begun, finish, loseJob, loseLock, lockHolder, passChecks, renewLock };
  }

  it('gets it back, and is begun once, if no worker took it in between', async () => {
    const job = await held(2, 1);
    for (let lost = 0; lost < LOSSES; lost += 1) {
      await job.loseLock();
      await job.passChecks();
    }
    job.finish();
    await eventually(async () =>
      expect(await job.queue.find(job.runId)).toMatchObject({ state: 'completed' }),
    );
    expect(job.begun()).toBe(1);
  });

  it('is left to the worker that has taken it since, also when that one has lost it in its turn', async () => {
    const job = await held(2, 1);
    await job.loseJob();
    for (let lost = 0; lost < 2 * LOSSES; lost += 1) await job.loseLock();
    expect(job.begun()).toBe(2);
    job.finish();
  });

  it('is not begun again by the same worker, keeps its new lock, and is never given up', async () => {
    // Each take needs a place.
    const job = await held(1, 4);
    for (let lost = 0; lost < 3; lost += 1) await job.loseJob();
    const holder = await job.lockHolder();
    await job.renewLock();
    await job.passChecks();
    expect(await job.lockHolder()).toBe(holder);
    job.finish();
    await eventually(async () =>
      expect(await job.queue.find(job.runId)).toEqual({
        state: 'completed',
        result: { outcome: 'completed' },
      }),
    );
    expect(job.begun()).toBe(1);
  });

  it('is begun by one worker after the other, and is never given up', async () => {
    const job = await held(1 + LOSSES, 1);
    for (let lost = 0; lost < LOSSES; lost += 1) await job.loseJob();
    job.finish();
    await eventually(async () =>
      expect(await job.queue.find(job.runId)).toMatchObject({ state: 'completed' }),
    );
    expect(job.begun()).toBe(1 + LOSSES);
  });
});
