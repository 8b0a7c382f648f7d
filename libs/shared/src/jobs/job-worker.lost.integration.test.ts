import { randomUUID } from 'node:crypto';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { workerForTest } from '../../test/workers.js';
import { openQueue } from './job-queue.js';
import type { JobHandler } from './job-worker.js';

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
