import { z } from 'zod';
import { searchFiltersSchema } from './chat-request.contract.js';
import { confidenceMetricsSchema } from './confidence.contract.js';

/** A question to the retrieval workers. */
export const retrievalQuerySchema = z.object({
  query: z.string().min(1),
  top_k: z.int().min(1),
  similarity_threshold: z.number().min(0).max(1).optional(),
  filters: searchFiltersSchema.optional(),
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
  chunk_index: z.int(),
  char_start: z.int(),
  char_end: z.int(),
  content_hash: z.string(),
});
export type Chunk = z.infer<typeof chunkSchema>;

export const retrievedChunkSchema = chunkSchema.extend({ similarity: z.number() });
export type RetrievedChunk = z.infer<typeof retrievedChunkSchema>;

export const retrievalResultSchema = z.object({
  chunks: z.array(retrievedChunkSchema),
  confidence: confidenceMetricsSchema,
  degraded_reason: z.string().optional(),
  timings_ms: z.object({ embedding: z.number(), search: z.number(), total: z.number() }),
});
export type RetrievalResult = z.infer<typeof retrievalResultSchema>;
