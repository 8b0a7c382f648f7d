import { z } from 'zod';
import { confidenceMetricsSchema } from './confidence.contract.js';
import { searchFiltersSchema } from './question.contract.js';

export const retrievalModeSchema = z.enum(['hybrid', 'dense', 'sparse']);
export type RetrievalMode = z.infer<typeof retrievalModeSchema>;

/** A search, as the retrieval workers get it. */
export const retrievalQuerySchema = z.object({
  query: z.string().min(1),
  top_k: z.int().min(1),
  similarity_threshold: z.number().min(0).max(1).optional(),
  filters: searchFiltersSchema.optional(),
  /** How candidates are found; `dense` and `sparse` are for evaluation. */
  mode: retrievalModeSchema.optional(),
});
export type RetrievalQuery = z.infer<typeof retrievalQuerySchema>;

/** A chunk as the index stores and returns it. */
export const chunkSchema = z.object({
  chunk_id: z.string(),
  text: z.string(),
  title: z.string(),
  chapter: z.string(),
  section: z.string(),
  module: z.string(),
  url: z.string(),
  /** The anchors of all headings in the chunk, if there are others than the one in its URL. */
  anchors: z.array(z.string()).optional(),
  chunk_index: z.int(),
  char_start: z.int(),
  char_end: z.int(),
  content_hash: z.string(),
  /** The page's position in the sidebar, from its front matter. */
  sidebar_position: z.number().optional(),
});
export type Chunk = z.infer<typeof chunkSchema>;

export const retrievedChunkSchema = chunkSchema.extend({
  /** The cosine with the question; 0 when the question could not be embedded. */
  similarity: z.number(),
  /** The chunks before and after it on its page, if the worker is configured to return them. */
  before: z.string().optional(),
  after: z.string().optional(),
});
export type RetrievedChunk = z.infer<typeof retrievedChunkSchema>;

/** Why a result is degraded. */
export const retrievalDegradationSchema = z.enum(['embedding_unavailable', 'rerank_unavailable']);
export type RetrievalDegradation = z.infer<typeof retrievalDegradationSchema>;

export const retrievalResultSchema = z.object({
  chunks: z.array(retrievedChunkSchema),
  confidence: confidenceMetricsSchema,
  degraded_reason: retrievalDegradationSchema.optional(),
  timings_ms: z.object({ embedding: z.number(), search: z.number(), total: z.number() }),
});
export type RetrievalResult = z.infer<typeof retrievalResultSchema>;
