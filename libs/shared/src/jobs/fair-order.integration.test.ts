import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { stallJob } from '../../test/stall-job.js';
import { workerForTest } from '../../test/workers.js';
import { redisKeys } from '../redis/redis-keys.js';
import { openQueue, type JobQueue } from './job-queue.js';
import type { JobHandler } from './running-jobs.js';
import { FairOrder, LAST_PRIORITY } from './fair-order.js';

let url: string;
let redis: Redis;
let queue: JobQueue<'chat'>;
let fairOrder: FairOrder;
/** Tenant and number of the question of each job. */
let names: Map<string, string>;
beforeEach(async () => {
  url = await testRedisUrl();
  redis = redisForTest(url);
  queue = openQueue('chat', redis);
  fairOrder = new FairOrder(redis);
  names = new Map();
});

async function ask(tenant: string, question: number): Promise<string> {
  const id = randomUUID();
  names.set(id, `${tenant}${question}`);
  const { priority } = await fairOrder.assign(tenant);
  await queue.add(id, { run_id: id, deadline_at: Date.now() + 60_000 }, priority);
  return id;
}
async function askAll(tenant: string, from: number, to: number): Promise<void> {
  for (let question = from; question <= to; question += 1) await ask(tenant, question);
}

/** Processes one job after the other as an agent worker does, and closes after the given number. */
async function servedInOrder(count: number): Promise<string[]> {
  const served: string[] = [];
  const worker = workerForTest(
    url,
    'chat',
    async ({ run_id }, { priority }) => {
      await fairOrder.started(priority);
      served.push(names.get(run_id) ?? run_id);
      if (served.length === count) void worker.close();
      return { outcome: 'completed' };
    },
    { concurrency: 1, graceMs: 5000 },
  );
  await eventually(() => expect(served).toHaveLength(count));
  await worker.close();
  return served;
}

describe('tenants', () => {
  it("a tenant's questions are served in their order", async () => {
    await askAll('a', 1, 6);
    expect(await servedInOrder(3)).toEqual(['a1', 'a2', 'a3']);
    // Jobs that are added later do not overtake those that wait.
    await askAll('a', 7, 8);
    expect(await servedInOrder(5)).toEqual(['a4', 'a5', 'a6', 'a7', 'a8']);
  });

  it('a tenant without waiting jobs is served next, however many another has', async () => {
    await askAll('a', 1, 50);
    expect(await servedInOrder(10)).toHaveLength(10);
    await ask('b', 1);
    expect((await servedInOrder(2)).slice(0, 2)).toContain('b1');
  });

  it('a tenant that asks now and then is not put behind a burst when the keys expire', async () => {
    for (let question = 1; question <= 20; question += 1) {
      await ask('x', question);
      await servedInOrder(1);
    }
    // The keys are about to expire when the tenant asks again.
    for (const key of [redisKeys.currentPriority, redisKeys.lastPriorities]) await redis.expire(key, 1);
    await ask('x', 21);
    await sleep(1500);
    await askAll('a', 1, 10);
    await ask('x', 22);
    // Its second job has the priority behind its first, like the third of the burst.
    expect((await servedInOrder(12)).slice(0, 5)).toEqual(['a1', 'x21', 'a2', 'a3', 'x22']);
  });

  it('tenants that ask as much alternate', async () => {
    for (const tenant of ['a', 'b', 'c']) await askAll(tenant, 1, 3);
    expect(await servedInOrder(9)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3']);
  });

  it('a tenant with many waiting jobs is not starved by one that keeps asking', async () => {
    await askAll('a', 1, 10);
    const served: string[] = [];
    for (let question = 1; question <= 10; question += 1) {
      await ask('b', question);
      served.push(...(await servedInOrder(2)));
    }
    expect(served.filter((name) => name.startsWith('a'))).toHaveLength(10);
  });

  it('a tenant that asked much while no job waited is not put behind others for it', async () => {
    for (let question = 1; question <= 20; question += 1) {
      await ask('a', question);
      await servedInOrder(1);
    }
    await askAll('b', 1, 5);
    await ask('a', 21);
    expect((await servedInOrder(3)).slice(0, 3)).toContain('a21');
  });

  it('jobs that a tenant adds at the same moment get different priorities', async () => {
    const taken = await Promise.all(Array.from({ length: 100 }, () => fairOrder.assign('a')));
    expect(new Set(taken.map(({ priority }) => priority)).size).toBe(100);
    expect((await fairOrder.assign('b')).priority).toBe(1);
  });
});

it('a preview tells the priority and the jobs ahead without changing the order', async () => {
  expect(await fairOrder.preview('a')).toEqual({ priority: 1, ahead: 0 });
  await askAll('a', 1, 5);
  expect(await fairOrder.preview('a')).toEqual({ priority: 6, ahead: 5 });
  expect(await fairOrder.preview('b')).toEqual({ priority: 1, ahead: 1 });
  expect(await fairOrder.assign('b')).toEqual({ priority: 1, ahead: 1 });
});

it('Redis keeps nothing of tenants whose jobs were served', async () => {
  for (let i = 0; i < 30; i += 1) await ask(`tenant-${i}`, 1);
  await askAll('a', 1, 2);
  await servedInOrder(32);
  await ask('b', 1);
  expect(await redis.zrange(redisKeys.lastPriorities, '0', '-1')).toEqual(['a', 'b']);
});

it('a wiped Redis starts at the first priority', async () => {
  await askAll('a', 1, 3);
  await servedInOrder(3);
  await redis.flushdb();
  expect(await fairOrder.assign('a')).toEqual({ priority: 1, ahead: 0 });
});

it('priorities end at the last one of BullMQ, and start again when no job waits', async () => {
  await fairOrder.started(LAST_PRIORITY);
  await redis.zadd(redisKeys.lastPriorities, LAST_PRIORITY, 'a');
  const id = randomUUID();
  await queue.add(id, { run_id: id, deadline_at: Date.now() }, LAST_PRIORITY);
  expect((await fairOrder.assign('a')).priority).toBe(LAST_PRIORITY);
  await queue.remove(id);
  expect((await fairOrder.assign('a')).priority).toBe(1);
});

describe('returned jobs', () => {
  const hold: JobHandler<'chat'> = (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('held'))));
  const isActive = (count: number) =>
    eventually(async () => expect(await queue.counts()).toMatchObject({ active: count }));

  it('a job that its stopping worker hands back is the next of all', async () => {
    await askAll('a', 1, 3);
    const worker = workerForTest(url, 'chat', hold, { concurrency: 1, graceMs: 0 });
    await isActive(1);
    await askAll('b', 1, 3);
    await worker.close();
    expect((await servedInOrder(6))[0]).toBe('a1');
  });

  it('a job whose worker crashed is the next of all', async () => {
    const lost = await ask('a', 1);
    await askAll('a', 2, 3);
    const proxy = await startTcpProxy(url);
    onTestFinished(() => proxy.close());
    workerForTest(proxy.url, 'chat', hold, { concurrency: 1 });
    onTestFinished(() => proxy.restore());
    await isActive(1);
    await proxy.cut();
    await ask('b', 1);
    const served: (string | undefined)[] = [];
    const serve: JobHandler<'chat'> = async ({ run_id }) => {
      served.push(names.get(run_id));
      const isBack = async () => expect(await queue.positionsOf([lost])).toEqual([1]);
      if (served.length === 1) {
        await stallJob(redisForTest(url), 'chat', lost);
        await eventually(isBack);
      }
      return { outcome: 'completed' };
    };
    workerForTest(url, 'chat', serve, { concurrency: 1 });
    await eventually(() => expect(served).toEqual(['b1', 'a1', 'a2', 'a3']));
  });
});

it('positions follow the order of processing, with and without priorities', async () => {
  const [a1, a2, b1] = [await ask('a', 1), await ask('a', 2), await ask('b', 1)];
  expect(await queue.positionsOf([a1, a2, b1, randomUUID()])).toEqual([1, 3, 2, undefined]);
  const plain = [randomUUID(), randomUUID()];
  for (const id of plain) await queue.add(id, { run_id: id, deadline_at: Date.now() });
  expect(await queue.positionsOf([...plain, a1, b1, a2])).toEqual([1, 2, 3, 4, 5]);
  expect(await queue.counts()).toMatchObject({ waiting: 5 });
  expect(await queue.counts()).toMatchObject({ waiting: 5 });
});
