import { randomUUID } from 'node:crypto';
import { classifyError } from '@quire/shared/errors';
import { dropIndex, qdrantUrl, startPrivateQdrant, uniqueCollection } from '@quire/testkit';
import { afterAll, expect, it } from 'vitest';
import { describeVectorIndex } from '../../test/vector-index-contract.js';
import { openQdrantCollections } from './qdrant-index-collections.js';
import { IndexGone } from './qdrant-failure.js';

const maker = { embedder: 'test:model', dimensions: 2 };
const names: string[] = [];
const cleanUp = async () => {
  await Promise.all(names.splice(0).map((name) => dropIndex(name)));
};

async function openIndex(url = qdrantUrl()) {
  const name = uniqueCollection();
  if (url === qdrantUrl()) names.push(name);
  const collections = openQdrantCollections({ url, collection: name });
  return collections.open(await collections.prepare(maker));
}

describeVectorIndex('Qdrant', { open: openIndex, cleanUp });

afterAll(cleanUp);

it('a request that Qdrant refuses is not retryable', async () => {
  const index = await openIndex();
  const error: unknown = await index
    .search([{ text: 'x', vector: [1, 2, 3], limit: 1 }])
    .catch((failure: unknown) => failure);
  expect(classifyError(error)).toMatchObject({ code: 'INTERNAL', retryable: false });
});

it('a search in a removed collection rejects with IndexGone', async () => {
  const index = openQdrantCollections({ url: qdrantUrl(), collection: 'x' }).open(`none-${randomUUID()}`);
  await expect(index.search([{ text: 'x', limit: 1 }])).rejects.toThrow(IndexGone);
});

it('a Qdrant that is away is a retryable error, and the same client works when it is back', async () => {
  const qdrant = await startPrivateQdrant();
  const index = await openIndex(qdrant.url);
  await qdrant.kill();
  for (const call of [
    () => index.search([{ text: 'x', vector: [1, 0], limit: 1 }]),
    () => index.pageHashes({ book: 'b', path: 'p' }),
    () => index.scroll(undefined, undefined),
  ]) {
    const error: unknown = await call().catch((failure: unknown) => failure);
    expect(classifyError(error)).toMatchObject({ code: 'RETRIEVAL_UNAVAILABLE', retryable: true });
  }
  await qdrant.restart();
  expect(await index.search([{ text: 'x', vector: [1, 0], limit: 1 }])).toEqual([{ dense: [], sparse: [] }]);
  await qdrant.cleanup();
});
