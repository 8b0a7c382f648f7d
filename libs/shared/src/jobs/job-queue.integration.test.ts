import { randomUUID } from 'node:crypto';
import { eventually, startTcpProxy, testRedisUrl, type TcpProxy } from '@quire/testkit';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { retrievalPayload, retrievalResult } from '../../test/retrieval-samples.js';
import { workerForTest } from '../../test/workers.js';
import { InvalidInput } from '../errors/index.js';
import { openQueue, type JobQueue } from './job-queue.js';

let url: string;
let queue: JobQueue<'retrieval'>;

beforeEach(async () => {
  url = await testRedisUrl();
  queue = openQueue('retrieval', redisForTest(url));
});

const expectState = (jobId: string, state: string) =>
  eventually(async () => expect(await queue.find(jobId)).toMatchObject({ state }));

describe('add', () => {
  it.each([
    ['an empty query', { query: '' }],
    ['a top_k of 0', { top_k: 0 }],
    ['a deadline that is no time', { deadline_at: -1 }],
    ['a request id that is no UUID', { request_id: 'x' }],
    ['no process to reply to', { reply_to: '' }],
  ])('a job with %s is refused before it is enqueued', async (_, change) => {
    await expect(queue.add(randomUUID(), { ...retrievalPayload(), ...change })).rejects.toThrow();
    expect(await queue.counts()).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 });
  });

  it('a job is added once, however often its id is added', async () => {
    const ids = [randomUUID(), randomUUID()];
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => queue.add(ids[n % 2] ?? '', retrievalPayload(`${n}`))),
    );
    expect(await queue.counts()).toMatchObject({ waiting: 2 });
  });

  it('a job that was removed after its end is missing, and runs again when it is added again', async () => {
    let runs = 0;
    workerForTest(url, 'retrieval', async () => {
      runs += 1;
      return retrievalResult();
    });
    const id = randomUUID();
    for (const run of [1, 2]) {
      await queue.add(id, retrievalPayload());
      await expectState(id, 'completed');
      expect(runs).toBe(run);
      await queue.remove(id);
      await expectState(id, 'missing');
    }
  });

  it('a finished job does not run again when its id is added again', async () => {
    let runs = 0;
    workerForTest(url, 'retrieval', async ({ query }) => {
      runs += 1;
      if (query === 'bad') throw new InvalidInput('INVALID_REQUEST', 'no');
      return retrievalResult();
    });
    const [good, bad, later] = [randomUUID(), randomUUID(), randomUUID()];
    await queue.add(good, retrievalPayload());
    await queue.add(bad, retrievalPayload('bad'));
    await expectState(good, 'completed');
    await expectState(bad, 'failed');
    await queue.add(good, retrievalPayload());
    await queue.add(bad, retrievalPayload('bad'));
    await queue.add(later, retrievalPayload());
    await expectState(later, 'completed');
    expect(runs).toBe(3);
  });
});

describe('find', () => {
  it('a job that was never added, or was lost, is missing', async () => {
    const id = randomUUID();
    expect(await queue.find(id)).toEqual({ state: 'missing' });
    await queue.add(id, retrievalPayload());
    expect(await queue.find(id)).toEqual({ state: 'pending' });
    await redisForTest(url).flushdb();
    expect(await queue.find(id)).toEqual({ state: 'missing' });
  });

  it('find returns the result of a completed job and the reason of a failed one', async () => {
    workerForTest(url, 'retrieval', async ({ query }) => {
      if (query === 'bad') throw new InvalidInput('INVALID_REQUEST', 'cannot be searched');
      return retrievalResult(query);
    });
    const [good, bad] = [randomUUID(), randomUUID()];
    await queue.add(good, retrievalPayload('good'));
    await queue.add(bad, retrievalPayload('bad'));
    await expectState(good, 'completed');
    await expectState(bad, 'failed');
    expect(await queue.find(good)).toEqual({ state: 'completed', result: retrievalResult('good') });
    expect(await queue.find(bad)).toEqual({ state: 'failed', reason: 'INVALID_REQUEST: cannot be searched' });
  });

  it('find never returns a state without its outcome while a job ends', async () => {
    workerForTest(url, 'retrieval', async ({ query }) => {
      if (query === 'bad') throw new InvalidInput('INVALID_REQUEST', 'cannot be searched');
      return retrievalResult(query);
    });
    const watch = async (query: string) => {
      const id = randomUUID();
      await queue.add(id, retrievalPayload(query));
      for (;;) {
        const found = await queue.find(id);
        if (found.state !== 'pending') return found;
      }
    };
    for (let round = 0; round < 40; round += 1) {
      const [good, bad] = await Promise.all([watch('good'), watch('bad')]);
      expect(good).toEqual({ state: 'completed', result: retrievalResult('good') });
      expect(bad).toEqual({ state: 'failed', reason: 'INVALID_REQUEST: cannot be searched' });
    }
  });
});

it.each<[string, (proxy: TcpProxy) => unknown]>([
  ['breaks', (proxy) => proxy.cut()],
  ['hangs', (proxy) => proxy.pause()],
])('a queue whose connection %s while it is opened accepts jobs later', async (_, fail) => {
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  const connection = redisForTest(proxy.url, 'request');
  const failed = new Promise((resolve) => connection.once('ready', () => resolve(fail(proxy))));
  const opened = openQueue('retrieval', connection);
  await failed;
  const add = () => opened.add(randomUUID(), retrievalPayload());
  await expect(add()).rejects.toThrow();
  await proxy.restore();
  await eventually(add);
});
