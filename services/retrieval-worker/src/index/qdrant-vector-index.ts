import { chunkSchema } from '@quire/shared/contracts';
import { connectQdrant } from '@quire/shared/qdrant';
import { z } from 'zod';
import { IndexMismatch } from './index-mismatch.js';
import { createCollection, DENSE, findCollection, indexPayload } from './qdrant-collection.js';
import { qdrantFailure, statusOf } from './qdrant-failure.js';
import { qdrantFilter } from './qdrant-filter.js';
import { urlPrefixes } from './url-prefixes.js';
import type { IndexedChunk, VectorIndex } from './vector-index.js';

export interface QdrantOptions {
  url: string;
  apiKey?: string | undefined;
  collection: string;
}

const SEARCH_LIMIT_MS = 5000;
const WRITE_LIMIT_MS = 30_000;
const CHUNKS_PER_WRITE = 64;

const pointSchema = z.object({
  score: z.number(),
  payload: chunkSchema,
  vector: z.object({ [DENSE]: z.array(z.number()) }),
});

export function openQdrantIndex({ url, apiKey, collection }: QdrantOptions): VectorIndex {
  const reader = connectQdrant({ url, apiKey }, SEARCH_LIMIT_MS);
  const writer = connectQdrant({ url, apiKey }, WRITE_LIMIT_MS);

  return {
    ensure: (maker) =>
      asOurError(async () => {
        let found = await findCollection(reader, collection);
        if (!found) {
          await createCollection(writer, collection, maker);
          found = await findCollection(reader, collection);
        }
        const made = found?.description;
        if (made?.embedder !== maker.embedder || made.dimensions !== maker.dimensions) {
          throw new IndexMismatch(collection, made, maker);
        }
        await indexPayload(writer, collection, found?.indexedFields ?? []);
      }),

    describe: () => asOurError(async () => (await findCollection(reader, collection))?.description),

    upsert: (chunks) =>
      asOurError(async () => {
        for (let next = 0; next < chunks.length; next += CHUNKS_PER_WRITE) {
          const points = chunks.slice(next, next + CHUNKS_PER_WRITE).map(toPoint);
          await writer.upsert(collection, { wait: true, points });
        }
      }),

    removePage: (pageUrl, exceptChunkIds) =>
      asOurError(async () => {
        await writer.delete(collection, {
          wait: true,
          filter: {
            must: [{ key: 'page_url', match: { value: pageUrl } }],
            must_not: [{ has_id: [...exceptChunkIds] }],
          },
        });
      }),

    search: ({ vector, limit, threshold, filters }) =>
      asOurError(async () => {
        try {
          const { points } = await reader.query(collection, {
            query: vector,
            using: DENSE,
            limit,
            score_threshold: threshold,
            filter: qdrantFilter(filters),
            with_payload: true,
            with_vector: [DENSE],
          });
          return z.array(pointSchema).parse(points).map(toHit);
        } catch (error) {
          if (statusOf(error) === 404) return [];
          throw error;
        }
      }),
  };
}

function toPoint({ chunk, vector }: IndexedChunk) {
  const pageUrl = chunk.url.split('#', 1).join();
  return {
    id: chunk.chunk_id,
    vector: { [DENSE]: vector },
    payload: { ...chunk, page_url: pageUrl, url_prefixes: urlPrefixes(pageUrl) },
  };
}

function toHit({ score, payload, vector }: z.infer<typeof pointSchema>) {
  // Rounding in Qdrant can leave a cosine a hair outside the range.
  return { chunk: payload, vector: vector[DENSE], similarity: Math.min(1, Math.max(0, score)) };
}

async function asOurError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof IndexMismatch || error instanceof z.ZodError) throw error;
    throw qdrantFailure(error);
  }
}
