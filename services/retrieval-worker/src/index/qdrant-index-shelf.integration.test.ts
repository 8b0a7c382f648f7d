import { QdrantClient } from '@qdrant/js-client-rest';
import { describeCollection, ForeignCollection } from '@quire/shared/qdrant';
import { dropIndex, qdrantUrl, uniqueCollection } from '@quire/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anIndexedChunk } from '../../test/a-chunk.js';
import type { IndexShelf } from './index-shelf.js';
import { openQdrantShelf } from './qdrant-index-shelf.js';

const old = { embedder: 'test:old', dimensions: 2 };
const next = { embedder: 'test:next', dimensions: 3 };
const book = 'https://book.example';
const client = new QdrantClient({ url: qdrantUrl(), checkCompatibility: false });
let name: string;
let shelf: IndexShelf;

beforeEach(() => {
  name = uniqueCollection();
  shelf = openQdrantShelf({ url: qdrantUrl(), collection: name });
});
afterEach(() => dropIndex(name));

const exists = async (collection: string) => (await client.collectionExists(collection)).exists;

it('a new shelf has no current index', async () => {
  expect(await shelf.current()).toBeUndefined();
  expect(await shelf.makerOf(`${name}--none`)).toBeUndefined();
});

it('prepare() creates one collection per maker, however often and by how many workers it is called', async () => {
  const collections = await Promise.all([shelf.prepare(old), shelf.prepare(old), shelf.prepare(old)]);
  expect(new Set(collections).size).toBe(1);
  expect(await shelf.makerOf(collections[0] ?? '')).toMatchObject(old);
  expect(await shelf.prepare(next)).not.toBe(collections[0]);
  expect(await shelf.prepare({ ...old, dimensions: 4 })).not.toBe(collections[0]);
});

it('establish() by several workers at the same time makes one index, which can be read meanwhile', async () => {
  const shelves = Array.from({ length: 4 }, () => openQdrantShelf({ url: qdrantUrl(), collection: name }));
  const progress = { established: false };
  const reads = shelves.map(async (each) => {
    while (!progress.established) await each.current();
  });
  const made = await Promise.all(shelves.map((each) => each.establish(old)));
  progress.established = true;
  await Promise.all(reads);
  expect(new Set(made.map(({ collection }) => collection)).size).toBe(1);
});

it('prepare() creates the payload indexes of filters, look-ups and counts', async () => {
  const { payload_schema: schema } = await client.getCollection(await shelf.prepare(old));
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
  const first = await shelf.prepare(old);
  await shelf.activate(first);
  expect(await shelf.current()).toMatchObject({ collection: first, maker: old });
  const second = await shelf.prepare(next);
  expect(await shelf.current()).toMatchObject({ collection: first });
  const switched = new AbortController();
  const watch = (async () => {
    while (!switched.signal.aborted) expect((await client.count(name, { exact: true })).count).toBe(0);
  })();
  await shelf.activate(second);
  switched.abort();
  await watch;
  expect(await shelf.current()).toMatchObject({ collection: second, maker: next });
  expect([await exists(first), await exists(second)]).toEqual([false, true]);
});

it('activate() keeps collections of other indexes and of other programs', async () => {
  const foreign = `${name}--foreign`;
  await client.createCollection(foreign, { vectors: { size: 2, distance: 'Cosine' } });
  const neighbour = openQdrantShelf({ url: qdrantUrl(), collection: `${name}--x` });
  const collection = await neighbour.prepare(old);
  await neighbour.activate(collection);
  await shelf.activate(await shelf.prepare(next));
  expect([await exists(foreign), await exists(collection)]).toEqual([true, true]);
});

it('the time of the last ingestion of a book is copied to the collection that replaces the current one', async () => {
  const first = await shelf.prepare(old);
  await shelf.activate(first);
  await shelf.recordRun(first, book);
  const before = (await describeCollection(client, first))?.lastRuns;
  expect(Object.keys(before ?? {})).toEqual([book]);
  const second = await shelf.prepare(next);
  await shelf.recordRun(second, 'https://other.example');
  await shelf.activate(second);
  expect((await describeCollection(client, second))?.lastRuns).toMatchObject({
    ...before,
    'https://other.example': expect.any(String) as string,
  });
});

it("another program's collection under the name of the alias is refused, with a remedy", async () => {
  await client.createCollection(name, { vectors: { size: 2, distance: 'Cosine' } });
  await expect(shelf.current()).rejects.toThrow(ForeignCollection);
  await expect(shelf.current()).rejects.toThrow(/QDRANT_COLLECTION.*quire index delete/s);
});

it('a prepared collection can be written to at once', async () => {
  const index = shelf.open(await shelf.prepare(old));
  await index.upsert(Array.from({ length: 150 }, (_, i) => anIndexedChunk({ text: `chunk ${i}` }, [1, i])));
  expect((await describeCollection(client, index.collection))?.points).toBe(150);
});
