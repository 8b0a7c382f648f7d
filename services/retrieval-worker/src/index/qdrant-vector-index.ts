import type { QdrantClient } from '@qdrant/js-client-rest';
import { chunkSchema } from '@quire/shared/contracts';
import { z } from 'zod';
import { asOurError } from './qdrant-failure.js';
import { DENSE, fromPayload, toPoint } from './qdrant-point.js';
import { candidatesIn, searchesFor } from './qdrant-search.js';
import type { PageKey, VectorIndex } from './vector-index.js';

export interface QdrantClients {
  /** The client for searches, with a short time limit. */
  reader: QdrantClient;
  /** The client for ingestion, with a long time limit. */
  writer: QdrantClient;
}

const CHUNKS_PER_WRITE = 64;
const CHUNKS_PER_SCROLL = 64;
const PATHS_PER_DELETE = 500;
const EVERY_VALUE = 1_000_000;

const knownPoint = z.object({
  payload: z.object({ embedded_hash: z.string() }),
  vector: z.object({ [DENSE]: z.array(z.number()) }),
});
const facetHit = z.object({ value: z.string(), count: z.int() });

export function openQdrantVectorIndex({ reader, writer }: QdrantClients, collection: string): VectorIndex {
  const ours = <T>(call: () => Promise<T>) => asOurError(call, collection);
  const countBy = async (key: string, must: object[]) => {
    const { hits } = await writer.facet(collection, {
      key,
      filter: { must },
      limit: EVERY_VALUE,
      exact: true,
    });
    return new Map(
      z
        .array(facetHit)
        .parse(hits)
        .map(({ value, count }) => [value, count]),
    );
  };

  return {
    collection,

    search: (queries) =>
      ours(async () => {
        const searches = queries.map(searchesFor);
        const results = await reader.queryBatch(collection, { searches: searches.flat() });
        let next = 0;
        return queries.map((query, i) => {
          const start = next;
          next += searches[i]?.length ?? 0;
          return candidatesIn(query, results.slice(start, next));
        });
      }),

    chunksAt: (pageUrl, positions) =>
      ours(async () => {
        const { points } = await reader.scroll(collection, {
          filter: {
            must: [
              { key: 'page_url', match: { value: pageUrl } },
              { key: 'chunk_index', match: { any: [...positions] } },
            ],
          },
          limit: positions.length,
          with_payload: true,
        });
        return points.map(({ payload }) => chunkSchema.parse(payload));
      }),

    pageHashes: (page) => ours(() => countBy('page_hash', ofPage(page))),

    knownVectors: (embeddedHashes) =>
      ours(async () => {
        if (embeddedHashes.length === 0) return new Map();
        // One search per text with limit 1: a text may occur on a thousand pages.
        const results = await writer.queryBatch(collection, {
          searches: embeddedHashes.map((hash) => ({
            filter: { must: [{ key: 'embedded_hash', match: { value: hash } }] },
            limit: 1,
            with_payload: ['embedded_hash'],
            with_vector: [DENSE],
          })),
        });
        return new Map(
          z
            .array(knownPoint)
            .parse(results.flatMap(({ points }) => points))
            .map(({ payload, vector }) => [payload.embedded_hash, vector[DENSE]]),
        );
      }),

    upsert: (chunks) =>
      ours(async () => {
        for (let next = 0; next < chunks.length; next += CHUNKS_PER_WRITE) {
          const points = chunks.slice(next, next + CHUNKS_PER_WRITE).map(toPoint);
          await writer.upsert(collection, { wait: true, points });
        }
      }),

    removePage: (page, exceptChunkIds) =>
      ours(async () => {
        const filter = { must: ofPage(page), must_not: [{ has_id: [...exceptChunkIds] }] };
        await writer.delete(collection, { wait: true, filter });
      }),

    removeOtherPages: (book, keptPaths) =>
      ours(async () => {
        const ofBook = { key: 'book', match: { value: book } };
        const stored = await countBy('path', [ofBook]);
        const gone = [...stored].filter(([path]) => !keptPaths.has(path));
        for (let next = 0; next < gone.length; next += PATHS_PER_DELETE) {
          const any = gone.slice(next, next + PATHS_PER_DELETE).map(([path]) => path);
          await writer.delete(collection, {
            wait: true,
            filter: { must: [ofBook, { key: 'path', match: { any } }] },
          });
        }
        return { pages: gone.length, chunks: gone.reduce((sum, [, count]) => sum + count, 0) };
      }),

    scroll: (cursor, exceptBook) =>
      ours(async () => {
        const { points, next_page_offset: next } = await writer.scroll(collection, {
          ...(exceptBook === undefined
            ? {}
            : { filter: { must_not: [{ key: 'book', match: { value: exceptBook } }] } }),
          ...(cursor === undefined ? {} : { offset: cursor }),
          limit: CHUNKS_PER_SCROLL,
          with_payload: true,
        });
        return {
          chunks: points.map(({ payload }) => fromPayload(payload)),
          cursor: typeof next === 'string' ? next : undefined,
        };
      }),
  };
}

function ofPage({ book, path }: PageKey) {
  return [
    { key: 'book', match: { value: book } },
    { key: 'path', match: { value: path } },
  ];
}
