import type { QdrantClient } from '@qdrant/js-client-rest';
import { z } from 'zod';
import { statusOf } from './qdrant-failure.js';
import type { IndexDescription, IndexMaker } from './vector-index.js';

/** The name of the dense vector; sparse ones can stand beside it. */
export const DENSE = 'dense';

const keywordFields = [
  'module',
  'chapter',
  'section',
  'url',
  'content_hash',
  'page_url',
  'url_prefixes',
] as const;

const collectionSchema = z.object({
  points_count: z.int().nullish(),
  payload_schema: z.record(z.string(), z.unknown()),
  config: z.object({
    metadata: z.object({ embedder: z.string(), dimensions: z.int() }).nullish().catch(null),
  }),
});

export interface FoundCollection {
  /** Undefined when the collection was not made by us. */
  description: IndexDescription | undefined;
  indexedFields: string[];
}

export async function findCollection(
  client: QdrantClient,
  name: string,
): Promise<FoundCollection | undefined> {
  try {
    const {
      config,
      points_count: points,
      payload_schema: schema,
    } = collectionSchema.parse(await client.getCollection(name));
    return {
      description: config.metadata ? { ...config.metadata, points: points ?? 0 } : undefined,
      indexedFields: Object.keys(schema),
    };
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** Two workers may start at once: whoever comes second finds what the first has made. */
export async function createCollection(client: QdrantClient, name: string, maker: IndexMaker): Promise<void> {
  try {
    // The client's own createCollection() leaves `metadata` out (1.18); Qdrant keeps it since 1.16.
    await client.api().createCollection({
      collection_name: name,
      vectors: { [DENSE]: { size: maker.dimensions, distance: 'Cosine' } },
      metadata: { ...maker },
    });
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
  }
}

export async function indexPayload(
  client: QdrantClient,
  name: string,
  alreadyIndexed: readonly string[],
): Promise<void> {
  const missing = keywordFields.filter((field) => !alreadyIndexed.includes(field));
  for (const field of missing) {
    await client.createPayloadIndex(name, { field_name: field, field_schema: 'keyword', wait: true });
  }
}
