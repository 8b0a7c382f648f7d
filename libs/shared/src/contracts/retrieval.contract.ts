import { z } from 'zod';
import { confidenceMetricsSchema } from './confidence.contract.js';
import { searchFiltersSchema } from './question.contract.js';

export const retrievalModeSchema = z.enum(['hybrid', 'dense', 'sparse']);
export type RetrievalMode = z.infer<typeof retrievalModeSchema>;

/** A question to the retrieval workers. */
export const retrievalQuerySchema = z.object({
  query: z.string().min(1),
  top_k: z.int().min(1),
  similarity_threshold: z.number().min(0).max(1).optional(),
  filters: searchFiltersSchema.optional(),
  /** How candidates are found; the parts alone are for evaluation. */
  mode: retrievalModeSchema.optional(),
});
export type RetrievalQuery = z.infer<typeof retrievalQuerySchema>;

/** What the index stores of a chunk and gives back with a hit. */
export const chunkSchema = z.object({
  chunk_id: z.string(),
  text: z.string(),
  title: z.string(),
  chapter: z.string(),
  section: z.string(),
  module: z.string(),
  url: z.string(),
  /** Of every heading whose text the chunk holds, when that is more than the one its URL names. */
  anchors: z.array(z.string()).optional(),
  chunk_index: z.int(),
  char_start: z.int(),
  char_end: z.int(),
  content_hash: z.string(),
  /** Where its author puts the page among its neighbours. */
  sidebar_position: z.number().optional(),
});
export type Chunk = z.infer<typeof chunkSchema>;

export const retrievedChunkSchema = chunkSchema.extend({
  /** The cosine with the question; 0 when the question could not be embedded. */
  similarity: z.number(),
  /** What stands before and after the chunk on its page, where the worker is configured to fetch it. */
  before: z.string().optional(),
  after: z.string().optional(),
});
export type RetrievedChunk = z.infer<typeof retrievedChunkSchema>;

/** What a result had to do without. */
export const retrievalDegradationSchema = z.enum(['embedding_unavailable', 'rerank_unavailable']);
export type RetrievalDegradation = z.infer<typeof retrievalDegradationSchema>;

export const retrievalResultSchema = z.object({
  chunks: z.array(retrievedChunkSchema),
  confidence: confidenceMetricsSchema,
  degraded_reason: retrievalDegradationSchema.optional(),
  timings_ms: z.object({ embedding: z.number(), search: z.number(), total: z.number() }),
});
export type RetrievalResult = z.infer<typeof retrievalResultSchema>;
