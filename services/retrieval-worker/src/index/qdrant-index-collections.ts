import type { QdrantClient } from '@qdrant/js-client-rest';
import {
  collectionFor,
  collectionPrefix,
  connectQdrant,
  currentCollection,
  describeCollection,
  ForeignCollection,
  listCollections,
  metadataOf,
  recordChange,
  recordRun,
  statusOf,
  versionOf,
  type IndexMaker,
} from '@quire/shared/qdrant';
import { timeBudgets } from '@quire/shared/time';
import type { CurrentCollection, IndexCollections } from './index-collections.js';
import { asOurError, IndexGone } from './qdrant-failure.js';
import { DENSE, keywordFields, SPARSE } from './qdrant-point.js';
import { openQdrantVectorIndex } from './qdrant-vector-index.js';

export interface QdrantOptions {
  url: string;
  apiKey?: string | undefined;
  /** The index's name: an alias. */
  collection: string;
}

const MOST_READS = 5;

export function openQdrantCollections({ collection: index, ...address }: QdrantOptions): IndexCollections {
  const reader = connectQdrant(address, timeBudgets.retrieval.qdrantReadMs);
  const writer = connectQdrant(address, timeBudgets.retrieval.qdrantWriteMs);

  const point = (collection: string) =>
    // Creating an alias that exists moves it, in one step.
    writer.updateCollectionAliases({
      actions: [{ create_alias: { alias_name: index, collection_name: collection } }],
    });

  const current = async (): Promise<CurrentCollection | undefined> => {
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      const collection = await currentCollection(reader, index);
      if (collection === undefined) return undefined;
      const found = await describeCollection(reader, collection);
      if (found) return { collection, maker: found, chunks: found.points };
      // The alias moved between the two requests, and the former collection has been removed.
    }
    throw new IndexGone(index);
  };

  const prepare = async (maker: IndexMaker, builtFrom?: string): Promise<string> => {
    const collection = collectionFor(index, maker);
    const found = await describeCollection(writer, collection);
    if (!found) await createCollection(writer, collection, metadataOf(maker, builtFrom));
    await indexPayload(writer, collection, found?.indexedFields ?? []);
    return collection;
  };

  const begin = async (maker: IndexMaker, ingestionId: string): Promise<string> => {
    const collection = collectionFor(index, maker);
    const serving = await currentCollection(writer, index);
    if (serving === undefined || serving === collection) {
      await prepare(maker);
      await recordChange(writer, collection, ingestionId);
      return collection;
    }
    const [replaced, begun] = await Promise.all([
      describeCollection(writer, serving),
      describeCollection(writer, collection),
    ]);
    if (!replaced) throw new IndexGone(index);
    if (begun && begun.builtFrom !== versionOf(replaced)) await writer.deleteCollection(collection);
    return prepare(maker, versionOf(replaced));
  };

  return {
    current: () => asOurError(current),

    makerOf: (collection) => asOurError(() => describeCollection(reader, collection)),

    prepare: (maker) => asOurError(() => prepare(maker)),

    begin: (maker, ingestionId) => asOurError(() => begin(maker, ingestionId)),

    establish: (maker) =>
      asOurError(async () => {
        if ((await currentCollection(writer, index)) === undefined) await point(await prepare(maker));
        const now = await current();
        if (!now) throw new IndexGone(index);
        return now;
      }),

    activate: (collection) =>
      asOurError(async () => {
        await inheritRuns(writer, index, collection);
        await point(collection);
        for (const { collection: other, index: owner } of await listCollections(writer)) {
          const isLeftOver = owner === undefined && other.startsWith(collectionPrefix(index));
          if (isLeftOver && (await isMade(writer, other))) await writer.deleteCollection(other);
        }
      }),

    recordRun: (collection, book) =>
      asOurError(() => recordRun(writer, collection, book, new Date().toISOString())),

    open: (collection) => openQdrantVectorIndex({ reader, writer }, collection),
  };
}

/** Two workers may create it at the same time: the second gets a 409, which is no error. */
async function createCollection(
  client: QdrantClient,
  name: string,
  metadata: ReturnType<typeof metadataOf>,
): Promise<void> {
  try {
    // The client's own createCollection() leaves `metadata` out (1.18); Qdrant keeps it since 1.16.
    await client.api().createCollection({
      collection_name: name,
      vectors: { [DENSE]: { size: metadata.dimensions, distance: 'Cosine' } },
      sparse_vectors: { [SPARSE]: { modifier: 'idf' } },
      metadata,
    });
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
  }
}

async function indexPayload(client: QdrantClient, name: string, indexed: readonly string[]): Promise<void> {
  const wanted = [
    ...keywordFields.map((field) => ({ field_name: field, field_schema: 'keyword' as const })),
    { field_name: 'chunk_index', field_schema: 'integer' as const },
  ];
  const missing = wanted.filter((field) => !indexed.includes(field.field_name));
  await Promise.all(missing.map((field) => client.createPayloadIndex(name, { ...field, wait: true })));
}

/** Copies the times of the books' last ingestions to the collection that replaces the current one. */
async function inheritRuns(client: QdrantClient, index: string, collection: string): Promise<void> {
  const former = await currentCollection(client, index);
  if (former === undefined || former === collection) return;
  const [before, now] = await Promise.all([
    describeCollection(client, former),
    describeCollection(client, collection),
  ]);
  for (const [book, at] of Object.entries(before?.lastRuns ?? {})) {
    if (now?.lastRuns[book] === undefined) await recordRun(client, collection, book, at);
  }
}

async function isMade(client: QdrantClient, collection: string): Promise<boolean> {
  try {
    return (await describeCollection(client, collection)) !== undefined;
  } catch (error) {
    if (error instanceof ForeignCollection) return false;
    throw error;
  }
}
