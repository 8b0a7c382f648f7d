import { randomUUID } from 'node:crypto';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { Queue } from 'bullmq';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { retrievalPayload, retrievalResult } from '../../test/retrieval-samples.js';
import { workerForTest } from '../../test/workers.js';
import { DependencyUnavailable, InvalidInput } from '../errors/index.js';
import { redisKeys } from '../redis/index.js';
import { jobCatalogue } from './job-catalogue.js';
import { openQueue, type JobQueue } from './job-queue.js';
import { FinalFailure } from './running-jobs.js';

const away = () => new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The index is not reachable');

let url: string;
let queue: JobQueue<'retrieval'>;
let bull: Queue;

beforeEach(async () => {
  url = await testRedisUrl();
  queue = openQueue('retrieval', redisForTest(url));
  bull = bullQueue('retrieval');
});

/** BullMQ's own view of a queue, to add jobs that ours refuses and to read all of a job. */
function bullQueue(name: string): Queue {
  return new Queue(name, { connection: redisForTest(url), prefix: redisKeys.queuePrefix(name) });
}

const expectFailed = (jobId: string) =>
  eventually(async () => {
    expect(await bull.getJobState(jobId)).toBe('failed');
    return bull.getJob(jobId);
  });

describe('failures', () => {
  it('a job with an invalid payload fails without another try and is kept for inspection', async () => {
    let handled = 0;
    workerForTest(url, 'retrieval', async () => {
      handled += 1;
      return retrievalResult();
    });
    const jobId = randomUUID();
    const { top_k: _, ...incomplete } = retrievalPayload();
    await bull.add('retrieval', incomplete, { jobId, attempts: 3 });
    const job = await expectFailed(jobId);
    expect(job?.failedReason).toMatch(/^INVALID_PAYLOAD: .*top_k/s);
    expect(job?.data).toEqual(incomplete);
    expect(job?.attemptsMade).toBe(1);
    expect(handled).toBe(0);
  });

  it("a job whose dependency is down fails after the catalogue's number of tries, and knows which is the last", async () => {
    const lastTry: boolean[] = [];
    workerForTest(url, 'retrieval', async (_, context) => {
      lastTry.push(context.lastTry);
      throw away();
    });
    const jobId = randomUUID();
    await queue.add(jobId, retrievalPayload());
    const job = await expectFailed(jobId);
    expect(lastTry).toEqual([false, false, true]);
    expect(lastTry).toHaveLength(jobCatalogue.retrieval.attempts);
    expect(job?.failedReason).toBe('RETRIEVAL_UNAVAILABLE: The index is not reachable');
  });

  it.each([
    ['input that cannot be accepted', new InvalidInput('EMPTY_QUERY', 'empty'), 'EMPTY_QUERY: empty'],
    ['a defect', new Error('secret words'), 'INTERNAL: Something went wrong on our side'],
    [
      'a failure that was dealt with',
      new FinalFailure(away()),
      'RETRIEVAL_UNAVAILABLE: The index is not reachable',
    ],
  ])('a job fails at its first try after %s, and the queue stores the code', async (_, error, reason) => {
    let tries = 0;
    workerForTest(url, 'retrieval', () => {
      tries += 1;
      return Promise.reject(error);
    });
    const jobId = randomUUID();
    await queue.add(jobId, retrievalPayload());
    const job = await expectFailed(jobId);
    expect(tries).toBe(1);
    expect(job?.failedReason).toBe(reason);
    expect(await queue.counts()).toMatchObject({ waiting: 0, delayed: 0, active: 0 });
  });
});

it('a job succeeds at a later try when its dependency is back', async () => {
  let tries = 0;
  workerForTest(url, 'retrieval', async () => {
    tries += 1;
    if (tries === 1) throw away();
    return retrievalResult();
  });
  const jobId = randomUUID();
  await queue.add(jobId, retrievalPayload());
  await eventually(async () => expect(await queue.find(jobId)).toMatchObject({ state: 'completed' }));
  expect(tries).toBe(2);
});

it('a worker continues after its connection was cut', async () => {
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  workerForTest(proxy.url, 'retrieval', () => Promise.resolve(retrievalResult()));
  const ids = Array.from({ length: 3 }, () => randomUUID());
  for (const jobId of ids) {
    await proxy.cut();
    await queue.add(jobId, retrievalPayload());
    await proxy.restore();
    await eventually(async () => expect(await queue.find(jobId)).toMatchObject({ state: 'completed' }));
  }
});
