import { UnreadablePage, type BookSource } from '@quire/book/sources';
import { InvalidInput } from '@quire/shared/errors';
import { jobKey, queueKey } from '@quire/shared/jobs';
import { eventually, testRedisUrl } from '@quire/testkit';
import { beforeEach, expect, it } from 'vitest';
import { baseUrl, manyPages, memorySource } from './memory-source.js';
import { ingested, redisFor, startScriptedWorker, type WorkerScript } from './scripted-worker.js';
import { startIngestion } from './start-ingestion.js';

let redisUrl: string;

async function ingest(source: BookSource, script: WorkerScript) {
  const worker = await startScriptedWorker(redisUrl, script);
  const { report, notices } = await startIngestion(redisUrl, source);
  return { worker, notices, report: await report, steps: worker.tasks.map(({ task }) => task) };
}

const replacing: WorkerScript = {
  open: () => ({ task: 'open', collection: 'new', embedder: 'b', replaces: 'old' }),
};
const twoBatches: WorkerScript['carry'] = ({ cursor }) => ({
  task: 'carry',
  carried: 5,
  ...(cursor === undefined ? { cursor: 'next' } : {}),
});

const skippedOr = (path: string, skipped: 'draft' | 'stub') =>
  path.startsWith('0') ? { ...ingested(path, 0, 0), skipped } : ingested(path);
const twins = (...paths: string[]) =>
  Object.fromEntries(paths.map((path) => [path, '# Twin\n\nThe same words on every one of these pages.']));

beforeEach(async () => {
  redisUrl = await testRedisUrl();
});

it('an ingestion consists of open, pages and close, all with one id and for the book', async () => {
  const { worker, steps } = await ingest(memorySource({ 'a.md': '# A' }), {});
  expect(steps).toEqual(['open', 'page', 'close']);
  expect(new Set(worker.tasks.map(({ ingestion_id: id }) => id)).size).toBe(1);
  expect(worker.tasks).toMatchObject([
    { task: 'open' },
    { book: baseUrl, collection: 'quire--test' },
    { book: baseUrl, collection: 'quire--test', kept_paths: ['a.md'] },
  ]);
});

it('the close keeps the ingested and the failed pages, but no drafts, stubs and duplicates', async () => {
  const same = 'The same text on two pages, which makes one of them a duplicate of the other one. '.repeat(9);
  const source = memorySource({
    'a.md': `# A\n\n${same}`,
    'b.md': `# A\n\n${same}`,
    'broken.md': '# Broken',
    'draft.md': '# Draft',
    'gone-after-all.md': new UnreadablePage('not a page', { leftOut: 'not HTML' }),
    'stub.md': '# Stub',
    'unreadable.md': new UnreadablePage('cannot be read'),
  });
  const { worker } = await ingest(source, {
    page({ page: { path } }) {
      if (path === 'broken.md') throw new InvalidInput('INVALID_REQUEST', 'broken');
      if (path === 'draft.md') return { ...ingested(path, 0, 0), skipped: 'draft' };
      if (path === 'stub.md') return { ...ingested(path, 0, 0), skipped: 'stub' };
      return ingested(path);
    },
  });
  expect(worker.named('close')[0]?.kept_paths).toEqual(['a.md', 'broken.md', 'unreadable.md']);
});

it.each<[string, WorkerScript]>([
  ['is a draft', { page: ({ page: { path } }) => skippedOr(path, 'draft') }],
  ['is a stub', { page: ({ page: { path } }) => skippedOr(path, 'stub') }],
  [
    'failed',
    {
      page({ page: { path } }) {
        if (path.startsWith('0')) throw new InvalidInput('INVALID_REQUEST', 'broken');
        return ingested(path);
      },
    },
  ],
])('the duplicate of a page that %s is ingested in its place', async (_, script) => {
  const { worker, report } = await ingest(memorySource(twins('0.md', 'b.md', 'c.md')), script);
  expect(report.tally.ingested).toEqual(['b.md']);
  expect(report.tally.leftOut).toContainEqual({ path: 'c.md', reason: 'duplicate', of: 'b.md' });
  expect(worker.named('close')[0]?.kept_paths).toContain('b.md');
  expect(report.tally.finished).toBe(3);
});

it('a duplicate is ingested in place of many drafts, and no page is read more than three times', async () => {
  const reads = new Map<string, number>();
  const onRead = (path: string) => void reads.set(path, (reads.get(path) ?? 0) + 1);
  const alike = twins(...Array.from({ length: 30 }, (_, i) => `0${i}.md`), 'b.md');
  const { worker, report } = await ingest(memorySource(alike, { onRead }), {
    page: ({ page: { path } }) => skippedOr(path, 'draft'),
  });
  expect(report.tally.ingested).toEqual(['b.md']);
  expect(worker.named('page')).toHaveLength(31);
  expect(Math.max(...reads.values())).toBe(3);
});

it('an ingestion of a part of a book removes nothing', async () => {
  const { worker } = await ingest(memorySource({ 'a.md': '# A' }, { whole: false }), {});
  expect(worker.named('close')).toHaveLength(1);
  expect(worker.named('close')[0]).not.toHaveProperty('kept_paths');
});

it.each<[string, BookSource, WorkerScript]>([
  ['cannot be read', memorySource({ 'a.md': new UnreadablePage('no') }), {}],
  [
    'is a draft',
    memorySource({ 'a.md': '# A' }),
    { page: () => ({ ...ingested('a.md', 0, 0), skipped: 'draft' }) },
  ],
])('an ingestion has no close when every page %s', async (_, source, script) => {
  const { worker, report } = await ingest(source, script);
  expect(worker.named('close')).toEqual([]);
  expect(report.removed).toBeUndefined();
});

it('an index made by another embedder is replaced: pages, then all other books batch by batch, then close', async () => {
  const { worker, steps, notices, report } = await ingest(memorySource({ 'a.md': '# A' }), {
    ...replacing,
    carry: twoBatches,
  });
  expect(steps.slice(-4)).toEqual(['page', 'carry', 'carry', 'close']);
  const carry = { from: 'old', collection: 'new', except_book: baseUrl };
  expect(worker.named('carry')).toMatchObject([carry, { ...carry, cursor: 'next' }]);
  expect(worker.named('carry')[0]).not.toHaveProperty('cursor');
  expect(report).toMatchObject({ replaced: 'old', tally: { carried: 10 } });
  expect(notices).toEqual(['replacing']);
});

it('an index made by another embedder is carried over as a whole before a part of a book is ingested', async () => {
  const { worker, steps } = await ingest(memorySource({ 'a.md': '# A' }, { whole: false }), {
    ...replacing,
    carry: twoBatches,
  });
  expect(steps.slice(-4)).toEqual(['carry', 'carry', 'page', 'close']);
  for (const task of worker.named('carry')) expect(task).not.toHaveProperty('except_book');
});

it('the earlier text of the book is carried over as well when a page failed', async () => {
  const source = memorySource({ 'a.md': '# A', 'b.md': new UnreadablePage('no') });
  const { worker, steps } = await ingest(source, replacing);
  expect(steps.slice(-3)).toEqual(['page', 'carry', 'close']);
  expect(worker.named('carry')[0]).not.toHaveProperty('except_book');
});

it('an index made by another embedder stays in place when no page could be ingested', async () => {
  const { steps } = await ingest(memorySource({ 'a.md': new UnreadablePage('no') }), replacing);
  expect(steps).not.toContain('carry');
  expect(steps).not.toContain('close');
});

it('the number of pages in the queue is bounded, and a page is read only when there is room', async () => {
  let [read, finished, most] = [0, 0, 0];
  const source = memorySource(manyPages(300), { onRead: () => (read += 1) });
  const waiting: number[] = [];
  const watcher = await redisFor(redisUrl);
  const length = () => watcher.llen(queueKey('ingest', 'wait'));
  // The worker holds its two pages until the window is full.
  const full = eventually(async () => expect(await length()).toBe(64 - 2));
  const { report } = await ingest(source, {
    async page({ page: { path } }) {
      await full;
      waiting.push(await length());
      most = Math.max(most, read - finished);
      finished += 1;
      return ingested(path);
    },
  });
  expect(report.tally.ingested).toHaveLength(300);
  expect(Math.max(...waiting)).toBeLessThanOrEqual(64);
  // Pages in the window, pages read ahead, and pages whose result has not been polled yet.
  expect(most).toBeLessThanOrEqual(64 + 8 + 2);
});

it('finished pages leave no text in Redis', async () => {
  await ingest(memorySource(manyPages(10)), {});
  const redis = await redisFor(redisUrl);
  const jobs = await redis.keys(jobKey('ingest', '*-*-*-*-*'));
  expect(jobs).toEqual([]);
});
