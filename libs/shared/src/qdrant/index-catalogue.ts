import type { QdrantClient } from '@qdrant/js-client-rest';
import { z } from 'zod';
import { statusOf } from './connect-qdrant.js';

/** The embedder that made all vectors of an index. */
export interface IndexMaker {
  embedder: string;
  dimensions: number;
}

export interface IndexDescription extends IndexMaker {
  collection: string;
  points: number;
  indexedFields: string[];
  /** When each book, identified by its base URL, was last ingested completely. */
  lastRuns: Record<string, string>;
  /** Names the last change; a collection that was built from this one before is out of date. */
  change: string | undefined;
  /** For a collection that is to replace another: the version of that one. */
  builtFrom: string | undefined;
}

/** A collection under the name of an index that was not made by Quire, or with another layout. */
export class ForeignCollection extends Error {
  constructor(readonly collection: string) {
    super(
      `The Qdrant collection "${collection}" was not made by this version of Quire. Set QDRANT_COLLECTION to ` +
        `another name, or remove it with \`quire index delete ${collection}\` and ingest the book again.`,
    );
  }
}

/** Incremented when the stored payload changes. */
const LAYOUT = 1;
const LAST_RUN = 'last_run ';

const collectionSchema = z.object({
  points_count: z.int().nullish(),
  payload_schema: z.record(z.string(), z.unknown()),
  config: z.object({
    metadata: z
      .looseObject({
        embedder: z.string(),
        dimensions: z.int(),
        layout: z.literal(LAYOUT),
        change: z.string().optional(),
        built_from: z.string().optional(),
      })
      .nullish()
      .catch(null),
  }),
});

/**
 * An index is an alias, named by `QDRANT_COLLECTION`, of the collection that serves questions. The collection is named
 * after its maker, so that all ingestions by the same maker find it.
 */
export function collectionFor(index: string, { embedder, dimensions }: IndexMaker): string {
  return collectionPrefix(index) + `${embedder}-${dimensions}`.replaceAll(/[^\w.-]+/g, '-');
}

/** The prefix of the names of an index's collections. */
export const collectionPrefix = (index: string): string => `${index}--`;

/** Undefined if there is no such collection; rejects with `ForeignCollection` if it is not Quire's. */
export async function describeCollection(
  client: QdrantClient,
  collection: string,
): Promise<IndexDescription | undefined> {
  const found = await client.getCollection(collection).catch((error: unknown) => {
    if (statusOf(error) === 404) return undefined;
    throw error;
  });
  if (!found) return undefined;
  const { config, points_count: points, payload_schema: fields } = collectionSchema.parse(found);
  if (!config.metadata) throw new ForeignCollection(collection);
  const { embedder, dimensions, change, built_from: builtFrom, ...rest } = config.metadata;
  return {
    collection,
    embedder,
    dimensions,
    points: points ?? 0,
    indexedFields: Object.keys(fields),
    lastRuns: lastRunsIn(rest),
    change,
    builtFrom,
  };
}

/** The current collection of an index; undefined before the first one is activated. */
export async function currentCollection(client: QdrantClient, index: string): Promise<string | undefined> {
  const target = await targetOf(client, index);
  if (target !== undefined) return target;
  const { exists } = await client.collectionExists(index);
  if (!exists) return undefined;
  // collectionExists() includes aliases: another process may have made it between the two requests.
  const made = await targetOf(client, index);
  if (made === undefined) throw new ForeignCollection(index);
  return made;
}

async function targetOf(client: QdrantClient, index: string): Promise<string | undefined> {
  const { aliases } = await client.getAliases();
  return aliases.find(({ alias_name: alias }) => alias === index)?.collection_name;
}

/** All collections, each with the index whose current collection it is, if any. */
export async function listCollections(
  client: QdrantClient,
): Promise<{ collection: string; index: string | undefined }[]> {
  const [{ collections }, { aliases }] = await Promise.all([client.getCollections(), client.getAliases()]);
  return collections
    .map(({ name }) => ({
      collection: name,
      index: aliases.find(({ collection_name: target }) => target === name)?.alias_name,
    }))
    .sort((a, b) => (a.collection < b.collection ? -1 : 1));
}

/** The metadata of a new collection. */
export const metadataOf = ({ embedder, dimensions }: IndexMaker, builtFrom?: string) => ({
  embedder,
  dimensions,
  layout: LAYOUT,
  ...(builtFrom === undefined ? {} : { built_from: builtFrom }),
});

/** The version of a collection, for those that are built from it. */
export const versionOf = ({ collection, change }: IndexDescription): string =>
  change === undefined ? collection : `${collection} ${change}`;

/** To be called before a collection's chunks change, with a unique name. */
export async function recordChange(client: QdrantClient, collection: string, change: string): Promise<void> {
  await client.api().updateCollection({ collection_name: collection, metadata: { change } });
}

export async function recordRun(
  client: QdrantClient,
  collection: string,
  book: string,
  at: string,
): Promise<void> {
  // Qdrant merges metadata key by key, so that runs of two books do not overwrite each other.
  await client.api().updateCollection({
    collection_name: collection,
    metadata: { [LAST_RUN + book]: at },
  });
}

function lastRunsIn(metadata: Record<string, unknown>): Record<string, string> {
  const runs = Object.entries(metadata).filter(([key]) => key.startsWith(LAST_RUN));
  return Object.fromEntries(runs.map(([key, at]) => [key.slice(LAST_RUN.length), String(at)]));
}
