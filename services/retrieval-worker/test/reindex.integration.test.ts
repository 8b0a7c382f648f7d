import { randomUUID } from 'node:crypto';
import { QdrantClient } from '@qdrant/js-client-rest';
import type { Service } from '@quire/shared/process';
import { qdrantUrl } from '@quire/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compose } from '../src/compose.js';
import { loadRetrievalConfig } from '../src/config.js';
import { aPage, baseUrl, startWorker, type RunningWorker } from './running-worker.js';

const otherBook = 'https://other.example';
let worker: RunningWorker;
let rebuilt: Service | undefined;

beforeEach(async () => {
  worker = await startWorker();
});
afterEach(async () => {
  await rebuilt?.stop();
  rebuilt = undefined;
  await worker.stop();
});

/** The same deployment after the operator has chosen another dimension. */
async function restartWith(env: Record<string, string>): Promise<void> {
  await (rebuilt ?? worker.service).stop();
  rebuilt = compose(loadRetrievalConfig({ ...worker.env, ...env })).service;
  await rebuilt.start();
}

const ids = { ingestion_id: randomUUID() };
const open = () => worker.perform({ task: 'open', ingestion_id: randomUUID() });
const page = (collection: string, book: string, path: string, text: string) =>
  worker.perform({ task: 'page', ...ids, book, collection, page: aPage({ path, text, base_url: book }) });
const carryAll = async (from: string, collection: string, except_book?: string) => {
  let cursor: string | undefined;
  do {
    const task = { task: 'carry' as const, ...ids, from, collection, ...(except_book && { except_book }) };
    ({ cursor } = await worker.perform({ ...task, ...(cursor && { cursor }) }));
  } while (cursor !== undefined);
};
const textsFound = async (query = 'robots') =>
  (await worker.search({ query, top_k: 10, similarity_threshold: 0 })).chunks.map(({ text }) => text).sort();
const collections = async () => {
  const { collections: all } = await new QdrantClient({
    url: qdrantUrl(),
    checkCompatibility: false,
  }).getCollections();
  return all.map(({ name }) => name).filter((name) => name.startsWith(worker.env['QDRANT_COLLECTION'] ?? ''));
};

it('a changed embedder builds a new index while the old one serves questions, then replaces it in one step', async () => {
  const first = await open();
  expect(first).not.toHaveProperty('replaces');
  await page(first.collection, baseUrl, 'a.md', 'Robots of this book are old.');
  await page(first.collection, otherBook, 'b.md', 'Robots of another book stay.');

  await restartWith({ EMBEDDING_DIMENSIONS: '128' });
  expect(await textsFound()).toHaveLength(2);
  const second = await open();
  expect(second).toMatchObject({ replaces: first.collection });
  await page(second.collection, baseUrl, 'a.md', 'Robots of this book are new.');
  expect(await textsFound()).toContain('Robots of this book are old.');

  await carryAll(first.collection, second.collection, baseUrl);
  const asking = Array.from({ length: 20 }, (_, i) => textsFound(`robots ${i}`));
  await worker.perform({
    task: 'close',
    ...ids,
    book: baseUrl,
    collection: second.collection,
    replaces: first.collection,
  });
  for (const found of await Promise.all(asking)) expect(found).toHaveLength(2);
  expect(await textsFound()).toEqual(['Robots of another book stay.', 'Robots of this book are new.']);
  expect(await collections()).toEqual([second.collection]);
});

it('carrying chunks over does not bring back the former chunks of a page that was ingested since', async () => {
  const first = await open();
  await page(first.collection, baseUrl, 'a.md', 'Robots of this book are old.');
  await restartWith({ EMBEDDING_DIMENSIONS: '128' });
  const { collection } = await open();
  await page(collection, baseUrl, 'a.md', 'Robots of this book are new.');
  const carry = { task: 'carry' as const, ...ids, from: first.collection, collection };
  expect(await worker.perform(carry)).toEqual({ task: 'carry', carried: 0 });
  await worker.perform({ task: 'close', ...ids, collection, replaces: first.collection });
  expect(await textsFound()).toEqual(['Robots of this book are new.']);
});

it('a reindex that was killed midway continues', async () => {
  const first = await open();
  await page(first.collection, otherBook, 'b.md', 'Robots of another book stay.');
  await restartWith({ EMBEDDING_DIMENSIONS: '128' });
  const { collection } = await open();
  await page(collection, baseUrl, 'a.md', 'Robots of this book are new.');
  expect(await open()).toMatchObject({ collection, replaces: first.collection });
  expect(await page(collection, baseUrl, 'a.md', 'Robots of this book are new.')).toMatchObject({
    embedded: 0,
  });
});

it('a reindex that was killed midway starts over when the old index has changed since', async () => {
  const { collection: first } = await open();
  await page(first, otherBook, 'b.md', 'Robots of another book are old.');
  await page(first, otherBook, 'c.md', 'Robots of another book are gone later.');
  await restartWith({ EMBEDDING_DIMENSIONS: '128' });
  const { collection: second } = await open();
  await carryAll(first, second);

  await restartWith({});
  expect(await open()).toMatchObject({ collection: first });
  await page(first, otherBook, 'b.md', 'Robots of another book are new.');
  await worker.perform({
    task: 'close',
    ...ids,
    book: otherBook,
    collection: first,
    kept_paths: ['b.md'],
  });

  await restartWith({ EMBEDDING_DIMENSIONS: '128' });
  expect(await open()).toMatchObject({ collection: second, replaces: first });
  await page(second, baseUrl, 'a.md', 'Robots of this book are new.');
  await carryAll(first, second, baseUrl);
  await worker.perform({ task: 'close', ...ids, book: baseUrl, collection: second, replaces: first });
  expect(await textsFound()).toEqual(['Robots of another book are new.', 'Robots of this book are new.']);
});

it('a worker without the key of the embedder that made the index refuses to start, with a remedy', async () => {
  await worker.service.stop();
  const { service } = compose(
    loadRetrievalConfig({ ...worker.env, EMBEDDER: 'local', EMBEDDING_API_KEY: '' }),
  );
  await expect(service.start()).rejects.toThrow(
    /was made by openai:text-embedding-3-small \(256 dimensions\).*local:use-lite \(512 dimensions\).*key.*QDRANT_COLLECTION/s,
  );
  await service.stop();
});
