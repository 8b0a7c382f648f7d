import type { QdrantClient } from '@qdrant/js-client-rest';
import {
  collectionPrefix,
  currentCollection,
  describeCollection,
  listCollections,
  type IndexDescription,
} from '@quire/shared/qdrant';
import { indexedBooks, type IndexedBook } from './indexed-books.js';
import { storageSizes } from './storage-sizes.js';

export interface IndexStatus {
  index: string;
  /** The collection that is searched; undefined before the first ingestion. */
  current: (IndexDescription & { books: IndexedBook[]; bytes: number | undefined }) | undefined;
  /** Collections that may replace it. */
  beingBuilt: { collection: string; chunks: number }[];
}

export async function indexStatus(client: QdrantClient, index: string): Promise<IndexStatus> {
  const collection = await currentCollection(client, index);
  const description = collection === undefined ? undefined : await describeCollection(client, collection);
  return {
    index,
    current: description && {
      ...description,
      books: await indexedBooks(client, description),
      bytes: (await storageSizes(client)).get(description.collection),
    },
    beingBuilt: await othersOf(client, index),
  };
}

async function othersOf(client: QdrantClient, index: string): Promise<IndexStatus['beingBuilt']> {
  const others = (await listCollections(client)).filter(
    ({ collection, index: owner }) => owner === undefined && collection.startsWith(collectionPrefix(index)),
  );
  return Promise.all(
    others.map(async ({ collection }) => ({
      collection,
      chunks: (await client.count(collection, { exact: true })).count,
    })),
  );
}
