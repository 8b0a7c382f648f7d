import { randomUUID } from 'node:crypto';
import { IndexLease } from '@quire/shared/ingestion';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { redisFor, startScriptedWorker } from '../../../libs/ingestion/test/scripted-worker.js';
import { baseUrl, bookFolder, manyPages } from './book-folder.js';
import { startQuire } from './start-quire.js';

const STARTED = `→ ${baseUrl}`;
const WAITING =
  'Another ingestion into this index is under way; waiting for it to end (Ctrl-C stops waiting).';
let redisUrl: string;

const ingest = async (env: Record<string, string> = {}, pages: Record<string, string> = { 'a.md': '# A' }) =>
  startQuire({
    args: ['ingest', await bookFolder(pages), '--base-url', baseUrl],
    env: { REDIS_URL: redisUrl, ...env },
  });

async function holdLease(): Promise<IndexLease> {
  const lease = await IndexLease.acquire(await redisFor(redisUrl), 'quire', randomUUID());
  if (!lease) throw new Error('taken');
  onTestFinished(() => lease.release());
  return lease;
}

beforeEach(async () => {
  redisUrl = await testRedisUrl();
});

it('quire ingest prints once that it waits for another ingestion, and goes on when that ends', async () => {
  await startScriptedWorker(redisUrl);
  const lease = await holdLease();
  const { exitCode, terminal } = await ingest();
  await eventually(() => expect(terminal.output).toContain(WAITING));
  await lease.release();
  expect(await exitCode).toBe(0);
  expect(terminal.output.match(/is under way/g)).toHaveLength(1);
});

it('quire ingest leases the index that QDRANT_COLLECTION names', async () => {
  await startScriptedWorker(redisUrl);
  await holdLease();
  const { exitCode } = await ingest({ QDRANT_COLLECTION: 'other' });
  expect(await exitCode).toBe(0);
});

it('quire ingest can be interrupted while it waits for another ingestion', async () => {
  await holdLease();
  const { exitCode, terminal, interrupt } = await ingest();
  await eventually(() => expect(terminal.output).toContain(WAITING));
  interrupt();
  await exitCode;
  expect(terminal.output).toContain('Stopped.');
});

it('an interrupted quire ingest prints that queued pages are still processed, and how to finish', async () => {
  const { exitCode, terminal, interrupt } = await ingest();
  await eventually(() => expect(terminal.output).toContain(STARTED));
  interrupt();
  await exitCode;
  expect(terminal.output).toContain('Pages that are already in the queue are still processed.');
  expect(terminal.output).toContain('Run the same command again to finish');
});

it('quire ingest prints when Redis is away and when it is back, and finishes', async () => {
  const proxy = await startTcpProxy(redisUrl);
  onTestFinished(() => proxy.close());
  const { exitCode, terminal } = await ingest({ REDIS_URL: proxy.url }, manyPages(2));
  await eventually(() => expect(terminal.output).toContain(STARTED));
  await proxy.cut();
  await eventually(() => expect(terminal.output).toContain('Redis is away; waiting for it.'));
  await startScriptedWorker(redisUrl);
  await proxy.restore();
  expect(await exitCode).toBe(0);
  expect(terminal.output).toContain('Redis is back.');
  expect(terminal.output).toContain('2 pages ingested');
});
