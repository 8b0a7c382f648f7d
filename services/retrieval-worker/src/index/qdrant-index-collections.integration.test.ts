import { QdrantClient } from '@qdrant/js-client-rest';
import { describeCollection, ForeignCollection } from '@quire/shared/qdrant';
import { dropIndex, qdrantUrl, uniqueCollection } from '@quire/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anIndexedChunk } from '../../test/a-chunk.js';
import type { IndexCollections } from './index-collections.js';
import { openQdrantCollections } from './qdrant-index-collections.js';

const old = { embedder: 'test:old', dimensions: 2 };
const next = { embedder: 'test:next', dimensions: 3 };
const book = 'https://book.example';
const client = new QdrantClient({ url: qdrantUrl(), checkCompatibility: false });
let name: string;
let collections: IndexCollections;

beforeEach(() => {
  name = uniqueCollection();
  collections = openQdrantCollections({ url: qdrantUrl(), collection: name });
});
afterEach(() => dropIndex(name));

const exists = async (collection: string) => (await client.collectionExists(collection)).exists;

it('an index without collections has no current one', async () => {
  expect(await collections.current()).toBeUndefined();
  expect(await collections.makerOf(`${name}--none`)).toBeUndefined();
});

it('prepare() creates one collection per maker, however often and by how many workers it is called', async () => {
  const prepared = await Promise.all([
    collections.prepare(old),
    collections.prepare(old),
    collections.prepare(old),
  ]);
  expect(new Set(prepared).size).toBe(1);
  expect(await collections.makerOf(prepared[0] ?? '')).toMatchObject(old);
  expect(await collections.prepare(next)).not.toBe(prepared[0]);
  expect(await collections.prepare({ ...old, dimensions: 4 })).not.toBe(prepared[0]);
});

it('establish() by several workers at the same time makes one index, which can be read meanwhile', async () => {
  const workers = Array.from({ length: 4 }, () =>
    openQdrantCollections({ url: qdrantUrl(), collection: name }),
  );
  const progress = { established: false };
  const reads = workers.map(async (each) => {
    while (!progress.established) await each.current();
  });
  const made = await Promise.all(workers.map((each) => each.establish(old)));
  progress.established = true;
  await Promise.all(reads);
  expect(new Set(made.map(({ collection }) => collection)).size).toBe(1);
});

it('prepare() creates the payload indexes of filters, look-ups and counts', async () => {
  const { payload_schema: schema } = await client.getCollection(await collections.prepare(old));
  for (const field of [
    'module',
    'chapter',
    'section',
    'url',
    'content_hash',
    'url_prefixes',
    'book',
    'path',
  ]) {
    expect(schema[field]).toMatchObject({ data_type: 'keyword' });
  }
  expect(schema['chunk_index']).toMatchObject({ data_type: 'integer' });
});

it('activate() moves the alias in one step and removes the former collection', async () => {
  const first = await collections.prepare(old);
  await collections.activate(first);
  expect(await collections.current()).toMatchObject({ collection: first, maker: old });
  const second = await collections.prepare(next);
  expect(await collections.current()).toMatchObject({ collection: first });
  const switched = new AbortController();
  const watch = (async () => {
    while (!switched.signal.aborted) expect((await client.count(name, { exact: true })).count).toBe(0);
  })();
  await collections.activate(second);
  switched.abort();
  await watch;
  expect(await collections.current()).toMatchObject({ collection: second, maker: next });
  expect([await exists(first), await exists(second)]).toEqual([false, true]);
});

it('activate() keeps collections of other indexes and of other programs', async () => {
  const foreign = `${name}--foreign`;
  await client.createCollection(foreign, { vectors: { size: 2, distance: 'Cosine' } });
  const neighbour = openQdrantCollections({ url: qdrantUrl(), collection: `${name}--x` });
  const collection = await neighbour.prepare(old);
  await neighbour.activate(collection);
  await collections.activate(await collections.prepare(next));
  expect([await exists(foreign), await exists(collection)]).toEqual([true, true]);
});

it('the time of the last ingestion of a book is copied to the collection that replaces the current one', async () => {
  const first = await collections.prepare(old);
  await collections.activate(first);
  await collections.recordRun(first, book);
  const before = (await describeCollection(client, first))?.lastRuns;
  expect(Object.keys(before ?? {})).toEqual([book]);
  const second = await collections.prepare(next);
  await collections.recordRun(second, 'https://other.example');
  await collections.activate(second);
  expect((await describeCollection(client, second))?.lastRuns).toMatchObject({
    ...before,
    'https://other.example': expect.any(String) as string,
  });
});

it("another program's collection under the name of the alias is refused, with a remedy", async () => {
  await client.createCollection(name, { vectors: { size: 2, distance: 'Cosine' } });
  await expect(collections.current()).rejects.toThrow(ForeignCollection);
  await expect(collections.current()).rejects.toThrow(/QDRANT_COLLECTION.*quire index delete/s);
});

it('a prepared collection can be written to at once', async () => {
  const index = collections.open(await collections.prepare(old));
  await index.upsert(Array.from({ length: 150 }, (_, i) => anIndexedChunk({ text: `chunk ${i}` }, [1, i])));
  expect((await describeCollection(client, index.collection))?.points).toBe(150);
});
