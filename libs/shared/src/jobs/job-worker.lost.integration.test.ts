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

/** Rejects when the worker is closed at the end of the test. */
const untilClosed = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('closed'))));

interface Crash {
  hasHappened(): boolean;
  cause(): void;
}

/** A worker whose connection can be cut: to the queue that is the same as a crash of its process. */
async function crashableWorker(url: string, handle: (crash: Crash) => JobHandler<'chat'>): Promise<Crash> {
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  let hasHappened = false;
  const crash = {
    hasHappened: () => hasHappened,
    cause() {
      hasHappened = true;
      void proxy.cut();
    },
  };
  // No lock expires by itself during the test.
  workerForTest(proxy.url, 'chat', handle(crash), { lockMs: 300_000, concurrency: 20 });
  onTestFinished(() => proxy.restore());
  return crash;
}

it('a job that crashed three workers is failed and kept, and none that they executed beside it is', async () => {
  const url = await testRedisUrl();
  const redis = redisForTest(url);
  const queue = openQueue('chat', redis);
  const poison = randomUUID();
  const bystanders = Array.from({ length: 6 }, () => randomUUID());
  const done = new Set<string>();
  let crashes = 0;
  const handle = (crash: Crash): JobHandler<'chat'> => {
    const beside = new Set<string>();
    return async ({ run_id }, { signal }) => {
      if (run_id === poison) {
        if (crashes < 2) await eventually(() => expect(beside).toEqual(new Set(bystanders)));
        crashes += 1;
        crash.cause();
      } else beside.add(run_id);
      if (crashes < 2 || crash.hasHappened()) return untilClosed(signal);
      done.add(run_id);
      return { outcome: 'completed' };
    };
  };
  for (const id of [...bystanders.slice(0, 3), poison, ...bystanders.slice(3)])
    await queue.add(id, { run_id: id, deadline_at: deadlineAt() });
  for (let worker = 0; worker < 3; worker += 1) {
    const crash = await crashableWorker(url, handle);
    await eventually(() => expect(crash.hasHappened()).toBe(true));
    await stallActiveJobs(redis, 'chat');
  }
  await crashableWorker(url, handle);
  await eventually(async () => {
    expect(await queue.statesOf(bystanders)).toEqual(bystanders.map(() => 'completed'));
    expect(await queue.find(poison)).toMatchObject({ state: 'failed' });
  });
  expect(crashes).toBe(3);
  expect(done).toEqual(new Set(bystanders));
});

it('a suspect whose worker crashed before executing it is not given up', async () => {
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

it('another worker has the job of a crashed worker within ten seconds', () => {
  expect(longestTakeoverMs('chat')).toBeLessThanOrEqual(10_000);
  expect(longestTakeoverMs('retrieval')).toBeLessThanOrEqual(10_000);
});

describe('expired lock, worker alive', () => {
  /** Long enough for a worker on a busy machine to renew it in time. */
  const LOCK_MS = 5000;
  /** More than the crashes after which a job is given up. */
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
    /** Moves the job to the waiting list as a check does, and waits until a worker has taken and excused it. */
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
    /** Deletes the lock while no check runs, and waits until the worker has regained it. */
    const loseLock = async () => {
      const before = await presentHolder();
      await redis.set(queueKey('chat', 'stalled-check'), 'under way');
      await redis.del(lock);
      await eventually(async () => expect(await lockHolder()).toBe(before));
      await redis.del(queueKey('chat', 'stalled-check'));
    };
    /** Waits for two checks: the first marks the job as stalled, the second would move it. */
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

  it('a worker that regains its expired lock runs the handler once', async () => {
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

  it('a worker does not regain the lock of a job that another worker has taken since', async () => {
    const job = await held(2, 1);
    await job.loseJob();
    for (let lost = 0; lost < 2 * LOSSES; lost += 1) await job.loseLock();
    expect(job.begun()).toBe(2);
    job.finish();
  });

  it('a worker that takes its own job again keeps the new lock and does not run the handler again', async () => {
    // Each take needs a free slot of the worker.
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

  it('a job whose lock expires again and again while its workers are alive is never given up', async () => {
    const job = await held(1 + LOSSES, 1);
    for (let lost = 0; lost < LOSSES; lost += 1) await job.loseJob();
    job.finish();
    await eventually(async () =>
      expect(await job.queue.find(job.runId)).toMatchObject({ state: 'completed' }),
    );
    expect(job.begun()).toBe(1 + LOSSES);
  });
});
