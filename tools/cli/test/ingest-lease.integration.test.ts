import { randomUUID } from 'node:crypto';
import { IndexLease } from '@quire/shared/ingestion';
import { redisKeys } from '@quire/shared/redis';
import { eventually, testRedisUrl } from '@quire/testkit';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ingestBook } from '../src/ingest/ingest-book.js';
import { Progress } from '../src/ingest/progress.js';
import { baseUrl, bookFolder } from './book-folder.js';
import { memorySource } from './memory-source.js';
import { recordingTerminal } from './recording-terminal.js';
import { startQuire } from './start-quire.js';
import { ingested, redisFor, startScriptedWorker, type WorkerScript } from './scripted-worker.js';

let redisUrl: string;

/** Never answers. */
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

const ingest = (folder: string) =>
  startQuire({ args: ['ingest', folder, '--base-url', baseUrl], env: { REDIS_URL: redisUrl } });

beforeEach(async () => {
  redisUrl = await testRedisUrl();
});

describe('two ingestions into one index', () => {
  test('come one after the other: the second says that it waits', async () => {
    const folder = await bookFolder({ 'a.md': '# A' });
    const worker = await startScriptedWorker(redisUrl);
    const lease = await holdLease();
    const { exitCode, terminal } = ingest(folder);
    await eventually(() =>
      expect(terminal.output).toContain('Another ingestion into this index is under way'),
    );
    expect(worker.tasks).toEqual([]);
    await lease.release();
    expect(await exitCode).toBe(0);
    expect(terminal.output.match(/is under way/g)).toHaveLength(1);
  });

  test('of different indexes do not wait for each other', async () => {
    const folder = await bookFolder({ 'a.md': '# A' });
    await startScriptedWorker(redisUrl);
    await holdLease();
    const env = { REDIS_URL: redisUrl, QDRANT_COLLECTION: 'other' };
    expect(await startQuire({ args: ['ingest', folder, '--base-url', baseUrl], env }).exitCode).toBe(0);
  });

  test('the waiting one can be interrupted', async () => {
    const folder = await bookFolder({ 'a.md': '# A' });
    await holdLease();
    const { exitCode, terminal, interrupt } = ingest(folder);
    await eventually(() => expect(terminal.output).toContain('is under way'));
    interrupt();
    await exitCode;
    expect(terminal.output).toContain('Stopped.');
  });

  test('the index is free again after an ingestion, also after an interrupted one', async () => {
    const folder = await bookFolder({ 'a.md': '# A' });
    const worker = await startScriptedWorker(redisUrl, { page: stuck });
    const { exitCode, interrupt } = ingest(folder);
    await eventually(() => expect(worker.named('page')).toHaveLength(1));
    interrupt();
    await exitCode;
    const redis = await redisFor(redisUrl);
    await eventually(async () => expect(await redis.exists(redisKeys.indexLease('quire'))).toBe(0));
  });

  test('one that was suspended and overtaken stops, and removes nothing', async () => {
    const worker = await startScriptedWorker(redisUrl, { page: stuck });
    const terminal = recordingTerminal();
    const ingestion = ingestBook(memorySource({ 'a.md': '# A' }), {
      redis: await redisFor(redisUrl),
      index: 'quire',
      progress: new Progress(terminal),
      signal: new AbortController().signal,
      lease: { renewEveryMs: 50, ttlMs: 200 },
    });
    const failure = ingestion.catch((error: unknown) => error);
    await eventually(() => expect(worker.named('page')).toHaveLength(1));
    // As if the lease had run out and another had come.
    const redis = await redisFor(redisUrl);
    await eventually(async () => {
      await redis.del(redisKeys.indexLease('quire'));
      await holdLease();
    });
    expect(String(await failure)).toMatch(/Another ingestion has taken over.*removed nothing/);
    expect(worker.named('close')).toEqual([]);
  });
});

describe('pages that a worker takes for superseded', () => {
  test('are sent again while the index is still ours', async () => {
    let first = true;
    const worker = await startScriptedWorker(redisUrl, {
      page({ page: { path } }) {
        const result = first ? { ...ingested(path, 0, 0), skipped: 'superseded' as const } : ingested(path);
        first = false;
        return result;
      },
    });
    const { exitCode, terminal } = ingest(await bookFolder({ 'a.md': '# A' }));
    expect(await exitCode).toBe(0);
    expect(worker.named('page')).toHaveLength(2);
    expect(terminal.output).toContain('1 page ingested');
  });

  test('again and again mean that the worker looks elsewhere, which is said', async () => {
    const worker = await startScriptedWorker(redisUrl, {
      page: ({ page: { path } }) => ({ ...ingested(path, 0, 0), skipped: 'superseded' }),
    });
    const { exitCode, terminal } = ingest(await bookFolder({ 'a.md': '# A' }));
    expect(await exitCode).toBe(1);
    expect(terminal.output).toContain('does it work on the same index (QDRANT_COLLECTION)?');
    expect(worker.named('close')).toEqual([]);
  });
});
