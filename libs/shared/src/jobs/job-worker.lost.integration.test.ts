import { randomUUID } from 'node:crypto';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { workerForTest } from '../../test/workers.js';
import { redisKeys } from '../redis/index.js';
import { openQueue } from './job-queue.js';
import { longestTakeoverMs, type JobHandler } from './job-worker.js';

const LOCK_MS = 400;

/** Until the worker is closed at the end of the test. */
const untilClosed = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('closed'))));

/** A worker whose connection can be cut: for the queue that is the same as the death of its process. */
async function mortalWorker(url: string, handle: (die: () => void) => JobHandler<'chat'>) {
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  workerForTest(
    proxy.url,
    'chat',
    handle(() => die()),
    { lockMs: LOCK_MS, concurrency: 20 },
  );
  onTestFinished(() => proxy.restore());
  let died = false;
  const die = () => {
    died = true;
    void proxy.cut();
  };
  return { isDead: () => died };
}

it('a job that costs three workers their life is given up and kept, and takes no other along', async () => {
  const url = await testRedisUrl();
  const queue = openQueue('chat', redisForTest(url));
  const poison = randomUUID();
  const bystanders = Array.from({ length: 6 }, () => randomUUID());
  const begun = new Map<string, number>();
  const done = new Set<string>();
  const handle =
    (die: () => void): JobHandler<'chat'> =>
    async ({ run_id }, { signal }) => {
      begun.set(run_id, (begun.get(run_id) ?? 0) + 1);
      if (run_id === poison) {
        // Those that came along are under way when it happens.
        setTimeout(die, 100);
        return untilClosed(signal);
      }
      await new Promise((resolve) => setTimeout(resolve, LOCK_MS));
      done.add(run_id);
      return { outcome: 'completed' };
    };
  for (const id of [...bystanders.slice(0, 3), poison, ...bystanders.slice(3)])
    await queue.add(id, { run_id: id, deadline_at: Date.now() + 60_000 });
  let alive = await mortalWorker(url, handle);
  for (let lives = 1; lives < 3; lives += 1) {
    await eventually(() => expect(alive.isDead()).toBe(true), { timeoutMs: 15_000 });
    alive = await mortalWorker(url, handle);
  }
  await eventually(() => expect(alive.isDead()).toBe(true), { timeoutMs: 15_000 });
  await mortalWorker(url, handle);
  await eventually(
    async () => {
      expect(await queue.statesOf(bystanders)).toEqual(bystanders.map(() => 'completed'));
      expect(await queue.find(poison)).toMatchObject({ state: 'failed' });
    },
    { timeoutMs: 20_000 },
  );
  expect(begun.get(poison)).toBe(3);
  expect(done).toEqual(new Set(bystanders));
}, 60_000);

it('a job of a worker that has died is with another one within ten seconds', () => {
  expect(longestTakeoverMs('chat')).toBeLessThanOrEqual(10_000);
  expect(longestTakeoverMs('retrieval')).toBeLessThanOrEqual(10_000);
});

describe('a job that loses its lock while its worker lives, as when Redis was away', () => {
  const keyOf = (name: string) => `${redisKeys.queuePrefix('chat')}:chat:${name}`;
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
    await queue.add(runId, { run_id: runId, deadline_at: Date.now() + 60_000 });
    const lock = keyOf(`${runId}:lock`);
    const lockHolder = () => redis.get(lock);
    const presentHolder = () =>
      eventually(async () => {
        const holder = await lockHolder();
        expect(holder).not.toBeNull();
        return holder;
      });
    /** To the queue, as by a check for stalled jobs; until somebody has taken the job anew. */
    const loseJob = async () => {
      const before = await presentHolder();
      // No lock runs out sooner.
      await new Promise((resolve) => setTimeout(resolve, LOCK_MS));
      await redis
        .multi()
        .del(lock)
        .lrem(keyOf('active'), 1, runId)
        .hincrby(keyOf(runId), 'stc', 1)
        .rpush(keyOf('wait'), runId)
        .zadd(keyOf('marker'), 0, '0')
        .exec();
      await eventually(
        async () => {
          const holder = await lockHolder();
          expect(holder).not.toBeNull();
          expect(holder).not.toBe(before);
        },
        { timeoutMs: 10_000 },
      );
    };
    /** Before any check for stalled jobs; until it is back. */
    const loseLock = async () => {
      const before = await presentHolder();
      await redis.set(keyOf('stalled-check'), 'under way');
      await redis.del(lock);
      await eventually(async () => expect(await lockHolder()).toBe(before));
      await redis.del(keyOf('stalled-check'));
    };
    return { queue, runId, begun: () => begun, finish, loseJob, loseLock, lockHolder };
  }

  it('has it again, and is begun once, where nobody has taken it since', async () => {
    const job = await held(2, 1);
    for (let lost = 0; lost < LOSSES; lost += 1) {
      await job.loseLock();
      await new Promise((resolve) => setTimeout(resolve, 2 * LOCK_MS));
    }
    job.finish();
    await eventually(async () =>
      expect(await job.queue.find(job.runId)).toMatchObject({ state: 'completed' }),
    );
    expect(job.begun()).toBe(1);
  }, 30_000);

  it('leaves it to the one that has taken it since, also when that one has lost it in its turn', async () => {
    const job = await held(2, 1);
    await job.loseJob();
    for (let lost = 0; lost < 2 * LOSSES; lost += 1) await job.loseLock();
    expect(job.begun()).toBe(2);
    job.finish();
  }, 30_000);

  it('is not begun again by the same worker, keeps its new lock, and is never given up', async () => {
    // Each take needs a place.
    const job = await held(1, 4);
    for (let lost = 0; lost < 3; lost += 1) await job.loseJob();
    const holder = await job.lockHolder();
    await new Promise((resolve) => setTimeout(resolve, 4 * LOCK_MS));
    expect(await job.lockHolder()).toBe(holder);
    job.finish();
    await eventually(async () =>
      expect(await job.queue.find(job.runId)).toEqual({
        state: 'completed',
        result: { outcome: 'completed' },
      }),
    );
    expect(job.begun()).toBe(1);
  }, 30_000);

  it('is begun by one worker after the other, and is never given up', async () => {
    const job = await held(1 + LOSSES, 1);
    for (let lost = 0; lost < LOSSES; lost += 1) await job.loseJob();
    job.finish();
    await eventually(async () =>
      expect(await job.queue.find(job.runId)).toMatchObject({ state: 'completed' }),
    );
    expect(job.begun()).toBe(1 + LOSSES);
  }, 30_000);
});
