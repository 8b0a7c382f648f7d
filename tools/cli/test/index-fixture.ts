import { randomUUID } from 'node:crypto';
import { collectionFor, connectQdrant, metadataOf, recordRun } from '@quire/shared/qdrant';
import { qdrantUrl, uniqueCollection } from '@quire/testkit';
import { onTestFinished } from 'vitest';

export const client = () => connectQdrant({ url: qdrantUrl() }, 10_000);
const maker = { embedder: 'test-model', dimensions: 4 };

export interface BookChunk {
  book: string;
  path: string;
}

/** Chunks of a book, `perPage` on each of `pages` pages. */
export const chunksOf = (book: string, pages: number, perPage = 2): BookChunk[] =>
  Array.from({ length: pages * perPage }, (_, n) => ({ book, path: `page-${n % pages}.md` }));

/** A collection as the worker makes it, deleted when the test ends. */
export async function makeCollection(name: string, chunks: readonly BookChunk[] = []): Promise<string> {
  await client()
    .api()
    .createCollection({
      collection_name: name,
      vectors: { dense: { size: maker.dimensions, distance: 'Cosine' } },
      metadata: metadataOf(maker),
    });
  onTestFinished(async () => {
    await client().deleteCollection(name);
  });
  for (const field of ['book', 'path']) {
    await client().createPayloadIndex(name, { field_name: field, field_schema: 'keyword', wait: true });
  }
  const points = chunks.map((payload) => ({
    id: randomUUID(),
    vector: { dense: [1, 0, 0, 0] },
    payload: { ...payload },
  }));
  if (points.length > 0) await client().upsert(name, { points, wait: true });
  return name;
}

/** An index with its collection. */
export async function makeIndex(
  chunks: readonly BookChunk[] = [],
): Promise<{ index: string; collection: string }> {
  const index = uniqueCollection();
  const collection = await makeCollection(collectionFor(index, maker), chunks);
  await nameCollection(collection, index);
  return { index, collection };
}

/** Makes a collection the one that an index uses. */
export async function nameCollection(collection: string, index: string): Promise<void> {
  await client().updateCollectionAliases({
    actions: [{ create_alias: { alias_name: index, collection_name: collection } }],
  });
}

export const markRun = (collection: string, book: string, at: string) =>
  recordRun(client(), collection, book, at);

export const exists = async (name: string) => (await client().collectionExists(name)).exists;
