import { randomUUID } from 'node:crypto';
import { IndexLease } from '@quire/shared/ingestion';
import { vectors } from '@quire/scripted-providers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aPage, baseUrl, startWorker, type RunningWorker } from './running-worker.js';

let worker: RunningWorker;
let collection: string;

beforeEach(async () => {
  worker = await startWorker();
  ({ collection } = await worker.perform({ task: 'open', ingestion_id: randomUUID() }));
});
afterEach(() => worker.stop());

const page = (ingestionId: string, path: string, text: string) =>
  worker.perform({
    task: 'page',
    ingestion_id: ingestionId,
    book: baseUrl,
    collection,
    page: aPage({ path, text }),
  });
const close = (ingestionId: string, keptPaths: string[]) =>
  worker.perform({
    task: 'close',
    ingestion_id: ingestionId,
    book: baseUrl,
    collection,
    kept_paths: keptPaths,
  });
const textsFound = async () =>
  (await worker.search({ query: 'robots', top_k: 10, similarity_threshold: 0 })).chunks
    .map(({ text }) => text)
    .sort();
const leaseOf = (ingestionId: string) =>
  IndexLease.acquire(worker.redis, worker.env['QDRANT_COLLECTION'] ?? '', ingestionId);

it('ingestions that write the same page at the same time leave one complete version of it', async () => {
  const versions = Array.from({ length: 8 }, (_, i) => `# Page\n\nRobots of version ${i} are fine.`);
  await Promise.all(versions.map((text) => page(randomUUID(), 'a.md', text)));
  const found = await textsFound();
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/^Robots of version \d are fine\.$/);
});

it('an ingestion writes nothing after another one has begun', async () => {
  const [older, newer] = [randomUUID(), randomUUID()];
  await (await leaseOf(older))?.release();
  await page(older, 'a.md', 'Robots of the older ingestion.');
  const lease = await leaseOf(newer);
  await page(newer, 'a.md', 'Robots of the newer ingestion.');
  expect(await page(older, 'a.md', 'Robots of the late job.')).toMatchObject({ skipped: 'superseded' });
  await expect(close(older, [])).rejects.toThrow(/Another ingestion/);
  expect(await textsFound()).toEqual(['Robots of the newer ingestion.']);
  await lease?.release();
});

it('an ingestion that is embedding writes nothing after another one has begun', async () => {
  const [older, newer] = [randomUUID(), randomUUID()];
  await (await leaseOf(older))?.release();
  worker.providers.reset();
  worker.providers.embeddings.enqueue(vectors({ latencyMs: 500 }));
  const slow = page(older, 'a.md', 'Robots of the older ingestion.');
  await expect.poll(() => worker.providers.embeddings.requests.length).toBe(1);
  const lease = await leaseOf(newer);
  await page(newer, 'a.md', 'Robots of the newer ingestion.');
  await slow;
  expect(await textsFound()).toEqual(['Robots of the newer ingestion.']);
  await lease?.release();
});

it('closing an ingestion removes the deleted pages of its book only', async () => {
  const id = randomUUID();
  await page(id, 'kept.md', 'Robots that are kept here.');
  await page(id, 'gone.md', 'Robots that are gone now.');
  await worker.perform({
    task: 'page',
    ingestion_id: id,
    book: 'https://other.example',
    collection,
    page: aPage({
      path: 'gone.md',
      text: 'Robots of another book entirely.',
      base_url: 'https://other.example',
    }),
  });
  expect(await close(id, ['kept.md'])).toEqual({ task: 'close', removed_pages: 1, removed_chunks: 1 });
  expect(await textsFound()).toEqual(['Robots of another book entirely.', 'Robots that are kept here.']);
});

it('closing an ingestion of some pages removes no pages', async () => {
  const id = randomUUID();
  await page(id, 'a.md', 'Robots that are kept here.');
  await worker.perform({ task: 'close', ingestion_id: id, book: baseUrl, collection });
  expect(await textsFound()).toHaveLength(1);
});
