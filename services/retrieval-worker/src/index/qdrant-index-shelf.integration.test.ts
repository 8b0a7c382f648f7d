import { QdrantClient } from '@qdrant/js-client-rest';
import { describeCollection, ForeignCollection } from '@quire/shared/qdrant';
import { dropIndex, qdrantUrl, uniqueCollection } from '@quire/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

describe('the shelf', () => {
  test('has no current index at first', async () => {
    expect(await shelf.current()).toBeUndefined();
    expect(await shelf.makerOf(`${name}--none`)).toBeUndefined();
  });

  test('prepares one collection per maker, whoever asks and how often', async () => {
    const collections = await Promise.all([shelf.prepare(old), shelf.prepare(old), shelf.prepare(old)]);
    expect(new Set(collections).size).toBe(1);
    expect(await shelf.makerOf(collections[0] ?? '')).toMatchObject(old);
    expect(await shelf.prepare(next)).not.toBe(collections[0]);
    expect(await shelf.prepare({ ...old, dimensions: 4 })).not.toBe(collections[0]);
  });

  test('is established by workers that start at the same moment, and looked at meanwhile', async () => {
    const shelves = Array.from({ length: 4 }, () => openQdrantShelf({ url: qdrantUrl(), collection: name }));
    const progress = { established: false };
    const looks = shelves.map(async (each) => {
      while (!progress.established) await each.current();
    });
    const made = await Promise.all(shelves.map((each) => each.establish(old)));
    progress.established = true;
    await Promise.all(looks);
    expect(new Set(made.map(({ collection }) => collection)).size).toBe(1);
  });

  test('gives filters, look-ups and counts their payload indexes', async () => {
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

  test('lets another collection answer in one step and removes the one before', async () => {
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

  test('leaves alone what belongs to other indexes and to others than Quire', async () => {
    const foreign = `${name}--foreign`;
    await client.createCollection(foreign, { vectors: { size: 2, distance: 'Cosine' } });
    const neighbour = openQdrantShelf({ url: qdrantUrl(), collection: `${name}--x` });
    const collection = await neighbour.prepare(old);
    await neighbour.activate(collection);
    await shelf.activate(await shelf.prepare(next));
    expect([await exists(foreign), await exists(collection)]).toEqual([true, true]);
  });

  test('remembers when a book was ingested, also in the collection that takes over', async () => {
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

  test('refuses a collection of somebody else in the place of the alias, and says what to do', async () => {
    await client.createCollection(name, { vectors: { size: 2, distance: 'Cosine' } });
    await expect(shelf.current()).rejects.toThrow(ForeignCollection);
    await expect(shelf.current()).rejects.toThrow(/QDRANT_COLLECTION.*quire index delete/s);
  });

  test('opens collections that can be written to at once', async () => {
    const index = shelf.open(await shelf.prepare(old));
    await index.upsert(Array.from({ length: 150 }, (_, i) => anIndexedChunk({ text: `chunk ${i}` }, [1, i])));
    expect((await describeCollection(client, index.collection))?.points).toBe(150);
  });
});
