import { z } from 'zod';

export const confidenceLevelSchema = z.enum(['high', 'medium', 'low', 'insufficient']);
export type ConfidenceLevel = z.infer<typeof confidenceLevelSchema>;

/** How likely the retrieved passages contain the answer. */
export const confidenceMetricsSchema = z.object({
  average_similarity: z.number(),
  min_similarity: z.number(),
  max_similarity: z.number(),
  /** The share of the question's words that occur in the best passages. */
  lexical_score: z.number(),
  num_chunks: z.int(),
  chunk_diversity: z.number(),
  confidence_level: confidenceLevelSchema,
  should_answer: z.boolean(),
});
export type ConfidenceMetrics = z.infer<typeof confidenceMetricsSchema>;
