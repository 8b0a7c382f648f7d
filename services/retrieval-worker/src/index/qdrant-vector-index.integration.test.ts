import { QdrantClient } from '@qdrant/js-client-rest';
import { classifyError } from '@quire/shared/errors';
import { qdrantUrl, startPrivateQdrant, uniqueCollection } from '@quire/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { describeVectorIndex } from '../../test/vector-index-contract.js';
import { IndexMismatch } from './index-mismatch.js';
import { openQdrantIndex } from './qdrant-vector-index.js';

const collections: string[] = [];
const newCollection = () => {
  const collection = uniqueCollection();
  collections.push(collection);
  return collection;
};
const connect = () => new QdrantClient({ url: qdrantUrl(), checkCompatibility: false });
const cleanUp = async () => {
  await Promise.all(
    collections.splice(0).map((collection) =>
      connect()
        .deleteCollection(collection)
        .catch(() => false),
    ),
  );
};
const maker = { embedder: 'test:model', dimensions: 2 };

describeVectorIndex('Qdrant', {
  open: () => openQdrantIndex({ url: qdrantUrl(), collection: newCollection() }),
  cleanUp,
});

describe('Qdrant', () => {
  afterAll(cleanUp);

  test('the fields of filters and clean-up have keyword indexes', async () => {
    const collection = newCollection();
    await openQdrantIndex({ url: qdrantUrl(), collection }).ensure(maker);
    const { payload_schema: schema } = await connect().getCollection(collection);
    for (const field of ['module', 'chapter', 'section', 'url', 'content_hash', 'page_url', 'url_prefixes']) {
      expect(schema[field]).toMatchObject({ data_type: 'keyword' });
    }
  });

  test('a collection that somebody else made is not touched', async () => {
    const collection = newCollection();
    await connect().createCollection(collection, { vectors: { size: 2, distance: 'Cosine' } });
    const ensured = openQdrantIndex({ url: qdrantUrl(), collection }).ensure(maker);
    await expect(ensured).rejects.toThrow(IndexMismatch);
    await expect(ensured).rejects.toThrow('does not say which embedder made it');
  });

  test('a request that Qdrant refuses is not worth another try', async () => {
    const index = openQdrantIndex({ url: qdrantUrl(), collection: newCollection() });
    await index.ensure(maker);
    const error: unknown = await index
      .search({ vector: [1, 2, 3], limit: 1, threshold: 0 })
      .catch((failure: unknown) => failure);
    expect(classifyError(error)).toMatchObject({ code: 'INTERNAL', retryable: false });
  });

  test('a server that is away is worth another try, and the same client works when it is back', async () => {
    const qdrant = await startPrivateQdrant();
    const index = openQdrantIndex({ url: qdrant.url, collection: 'book' });
    await index.ensure(maker);
    await qdrant.kill();
    for (const call of [
      () => index.search({ vector: [1, 0], limit: 1, threshold: 0 }),
      () => index.describe(),
      () => index.ensure(maker),
    ]) {
      const error: unknown = await call().catch((failure: unknown) => failure);
      expect(classifyError(error)).toMatchObject({ code: 'RETRIEVAL_UNAVAILABLE', retryable: true });
    }
    await qdrant.restart();
    expect(await index.describe()).toEqual({ ...maker, points: 0 });
    await qdrant.cleanup();
  });
});
