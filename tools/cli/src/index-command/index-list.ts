import type { QdrantClient } from '@qdrant/js-client-rest';
import {
  describeCollection,
  ForeignCollection,
  listCollections,
  type IndexDescription,
} from '@quire/shared/qdrant';

export interface ListedCollection {
  /** Undefined for a collection of no index. */
  index: string | undefined;
  collection: string;
  /** Undefined when this version of Quire did not make it. */
  description: IndexDescription | undefined;
}

export async function listIndexes(client: QdrantClient): Promise<ListedCollection[]> {
  const collections = await listCollections(client);
  const listed = await Promise.all(collections.map((each) => describe(client, each)));
  return listed.filter((each) => each !== undefined);
}

/** Undefined when the collection has been deleted meanwhile. */
async function describe(
  client: QdrantClient,
  { index, collection }: Omit<ListedCollection, 'description'>,
): Promise<ListedCollection | undefined> {
  try {
    const description = await describeCollection(client, collection);
    return description && { index, collection, description };
  } catch (error) {
    if (!(error instanceof ForeignCollection)) throw error;
    return { index, collection, description: undefined };
  }
}
