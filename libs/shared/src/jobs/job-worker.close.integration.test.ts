import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { eventually, testRedisUrl } from '@quire/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { retrievalPayload, retrievalResult } from '../../test/retrieval-samples.js';
import { workerForTest } from '../../test/workers.js';
import { DependencyUnavailable } from '../errors/index.js';
import { jobFields, jobKey } from './bullmq/queue-keys.js';
import { openQueue, type JobQueue } from './job-queue.js';
import { FinalFailure, type JobContext } from './running-jobs.js';

const task = { task: 'open' as const, ingestion_id: randomUUID() };
const opened = { task: 'open' as const, collection: 'quire--test-2', embedder: 'test:model' };
const away = () => new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The index is not reachable');

let url: string;
let queue: JobQueue<'retrieval'>;

beforeEach(async () => {
  url = await testRedisUrl();
  queue = openQueue('retrieval', redisForTest(url));
});

const blockedClients = async () => {
  const [, blocked] = /blocked_clients:(\d+)/.exec(await redisForTest(url).info('clients')) ?? [];
  return Number(blocked);
};

describe('close', () => {
  /** A handler that runs until the test lets it finish or the worker aborts it. */
  function heldHandler() {
    const held = { started: Promise.resolve({} as JobContext), finish: () => {} };
    const finished = new Promise<void>((resolve) => {
      held.finish = resolve;
    });
    let start: (context: JobContext) => void = () => {};
    held.started = new Promise((resolve) => {
      start = resolve;
    });
    const handle = async (_: unknown, context: JobContext) => {
      start(context);
      await Promise.race([
        finished,
        once(context.signal, 'abort').then(() => Promise.reject(new Error('aborted'))),
      ]);
      return opened;
    };
    return { held, handle };
  }

  it('a closing worker waits for its running job and takes no other', async () => {
    const ingest = openQueue('ingest', redisForTest(url));
    const { held, handle } = heldHandler();
    const worker = workerForTest(url, 'ingest', handle, { graceMs: 60_000, concurrency: 1 });
    await ingest.add('first', task);
    await held.started;
    const events: string[] = [];
    const closing = Promise.all([worker.close(), worker.close()]).then(() => events.push('closed'));
    await ingest.add('second', task);
    expect(await ingest.find('first')).toEqual({ state: 'pending' });
    events.push('finished');
    held.finish();
    await closing;
    expect(events).toEqual(['finished', 'closed']);
    expect(await ingest.find('first')).toMatchObject({ state: 'completed' });
    expect(await ingest.find('second')).toEqual({ state: 'pending' });
  });

  it('a closing worker hands back a job that exceeds the grace long before its lock expires', async () => {
    const ingest = openQueue('ingest', redisForTest(url));
    const { held, handle } = heldHandler();
    const worker = workerForTest(url, 'ingest', handle, { graceMs: 20 });
    await ingest.add('page', task);
    const { signal } = await held.started;
    await worker.close();
    expect(signal.aborted).toBe(true);
    expect(await ingest.find('page')).toEqual({ state: 'pending' });
    const contexts: JobContext[] = [];
    workerForTest(url, 'ingest', async (_, context) => {
      contexts.push(context);
      return { ...opened, replaces: 'old' };
    });
    await eventually(async () =>
      expect(await ingest.find('page')).toEqual({
        state: 'completed',
        result: { ...opened, replaces: 'old' },
      }),
    );
    // Its lock has not expired.
    expect(await redisForTest(url).hget(jobKey('ingest', 'page'), jobFields.stalls)).toBeNull();
    expect(contexts).toMatchObject([{ jobId: 'page', lastTry: false }]);
  });

  it('a job with a priority that is handed back wakes an idle worker', async () => {
    const chat = openQueue('chat', redisForTest(url));
    const begun: string[] = [];
    const never = { idleFetchSeconds: 600 };
    const worker = workerForTest(
      url,
      'chat',
      async ({ run_id }, { signal }) => {
        begun.push(run_id);
        await once(signal, 'abort');
        throw new Error('aborted');
      },
      { graceMs: 20, ...never },
    );
    const runId = randomUUID();
    await chat.add(runId, { run_id: runId, deadline_at: Date.now() + 60_000 }, 7);
    await eventually(() => expect(begun).toEqual([runId]));
    workerForTest(url, 'chat', async () => ({ outcome: 'completed' }), never);
    await eventually(async () => expect(await blockedClients()).toBeGreaterThanOrEqual(2));
    await worker.close();
    await eventually(async () => expect(await chat.find(runId)).toMatchObject({ state: 'completed' }));
  });

  it('a closing worker aborts only jobs that are still running', async () => {
    const signals: AbortSignal[] = [];
    const worker = workerForTest(
      url,
      'retrieval',
      async ({ query }, { signal }) => {
        signals.push(signal);
        if (query === 'long') await once(signal, 'abort');
        return retrievalResult();
      },
      { graceMs: 20 },
    );
    const [short, long] = [randomUUID(), randomUUID()];
    await queue.add(short, retrievalPayload('short'));
    await eventually(async () => expect(await queue.find(short)).toMatchObject({ state: 'completed' }));
    await queue.add(long, retrievalPayload('long'));
    await eventually(() => expect(signals).toHaveLength(2));
    await worker.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    expect(await queue.find(long)).toMatchObject({ state: 'completed' });
  });

  it('a hand-back does not count as a try', async () => {
    const { held, handle } = heldHandler();
    const worker = workerForTest(
      url,
      'retrieval',
      (_, context) => handle(_, context).then(() => retrievalResult()),
      { graceMs: 20 },
    );
    const jobId = randomUUID();
    await queue.add(jobId, retrievalPayload());
    await held.started;
    await worker.close();
    const lastTry: boolean[] = [];
    workerForTest(url, 'retrieval', async (_, context) => {
      lastTry.push(context.lastTry);
      throw away();
    });
    await eventually(async () => expect(await queue.find(jobId)).toMatchObject({ state: 'failed' }));
    expect(lastTry).toEqual([false, false, true]);
  });

  it('a job whose handler dealt with its failure during the grace is not handed back', async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const worker = workerForTest(
      url,
      'retrieval',
      async (_, { signal }) => {
        begin();
        await once(signal, 'abort');
        throw new FinalFailure(away());
      },
      { graceMs: 20 },
    );
    const jobId = randomUUID();
    await queue.add(jobId, retrievalPayload());
    await begun;
    await worker.close();
    expect(await queue.find(jobId)).toEqual({
      state: 'failed',
      reason: 'RETRIEVAL_UNAVAILABLE: The index is not reachable',
    });
  });
});
