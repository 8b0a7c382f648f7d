import { randomUUID } from 'node:crypto';
import { IndexLease } from '@quire/shared/ingestion';
import { redisKeys } from '@quire/shared/redis';
import { eventually, testRedisUrl } from '@quire/testkit';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { manyPages, memorySource } from './memory-source.js';
import { ingested, redisFor, startScriptedWorker, type WorkerScript } from './scripted-worker.js';
import { startIngestion } from './start-ingestion.js';

let redisUrl: string;
const source = memorySource({ 'a.md': '# A' });

/** Never returns. */
const stuck: WorkerScript['page'] = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')));
  });

async function holdLease(): Promise<IndexLease> {
  const redis = await redisFor(redisUrl);
  const lease = await IndexLease.acquire(redis, 'quire', randomUUID());
  if (!lease) throw new Error('taken');
  onTestFinished(() => lease.release());
  return lease;
}

beforeEach(async () => {
  redisUrl = await testRedisUrl();
});

it('an ingestion waits while another one holds the lease of its index, and reports that once', async () => {
  const worker = await startScriptedWorker(redisUrl);
  const lease = await holdLease();
  const { report, notices } = await startIngestion(redisUrl, source);
  await eventually(() => expect(notices).toEqual(['lease_taken']));
  expect(worker.tasks).toEqual([]);
  await lease.release();
  expect((await report).tally.ingested).toEqual(['a.md']);
  expect(notices).toEqual(['lease_taken']);
});

it('ingestions into different indexes do not wait for each other', async () => {
  await startScriptedWorker(redisUrl);
  await holdLease();
  const { report, notices } = await startIngestion(redisUrl, source, { index: 'other' });
  expect((await report).tally.ingested).toEqual(['a.md']);
  expect(notices).toEqual([]);
});

it('an ingestion that waits for the lease can be aborted', async () => {
  await holdLease();
  const { report, notices, abort } = await startIngestion(redisUrl, source);
  await eventually(() => expect(notices).toEqual(['lease_taken']));
  abort();
  await expect(report).rejects.toThrow('aborted');
});

it('an aborted ingestion releases its lease', async () => {
  const worker = await startScriptedWorker(redisUrl, { page: stuck });
  const { report, abort } = await startIngestion(redisUrl, source);
  await eventually(() => expect(worker.named('page')).toHaveLength(1));
  abort();
  await expect(report).rejects.toThrow('aborted');
  const redis = await redisFor(redisUrl);
  expect(await redis.exists(redisKeys.indexLease('quire'))).toBe(0);
});

it('an ingestion that loses its lease stops and removes nothing', async () => {
  const worker = await startScriptedWorker(redisUrl, { page: stuck });
  const lease = { renewEveryMs: 50, ttlMs: 200 };
  const { report } = await startIngestion(redisUrl, source, { lease });
  const failure = report.catch((error: unknown) => error);
  await eventually(() => expect(worker.named('page')).toHaveLength(1));
  // As if the lease had expired and another ingestion had acquired it.
  const redis = await redisFor(redisUrl);
  await eventually(async () => {
    await redis.del(redisKeys.indexLease('quire'));
    await holdLease();
  });
  expect(String(await failure)).toMatch(/Another ingestion has taken the index over.*removed nothing/);
  expect(worker.named('close')).toEqual([]);
});

it('the next ingestion finishes a book whose ingestion crashed, once the lease has expired', async () => {
  const worker = await startScriptedWorker(redisUrl);
  const book = memorySource(manyPages(200));
  const redis = await redisFor(redisUrl);
  await startIngestion(redisUrl, book, { redis, lease: { renewEveryMs: 500, ttlMs: 2000 } });
  await eventually(() => expect(worker.named('page').length).toBeGreaterThan(5));
  // The process is gone without a release.
  redis.disconnect();
  expect(worker.named('close')).toEqual([]);
  const { report } = await startIngestion(redisUrl, book);
  expect((await report).tally.ingested).toHaveLength(200);
  expect(worker.named('close').map(({ kept_paths: kept }) => kept?.length)).toEqual([200]);
});

it('a page that a worker takes for superseded is queued again while the lease is held', async () => {
  let first = true;
  const worker = await startScriptedWorker(redisUrl, {
    page({ page: { path } }) {
      const result = first ? { ...ingested(path, 0, 0), skipped: 'superseded' as const } : ingested(path);
      first = false;
      return result;
    },
  });
  const { report } = await startIngestion(redisUrl, source);
  expect((await report).tally.ingested).toEqual(['a.md']);
  expect(worker.named('page')).toHaveLength(2);
});

it('an ingestion fails when a worker takes its page for superseded again and again', async () => {
  const worker = await startScriptedWorker(redisUrl, {
    page: ({ page: { path } }) => ({ ...ingested(path, 0, 0), skipped: 'superseded' }),
  });
  const { report } = await startIngestion(redisUrl, source);
  await expect(report).rejects.toThrow('does it work on the same index (QDRANT_COLLECTION)?');
  expect(worker.named('close')).toEqual([]);
});
