import { z } from 'zod';
import { confidenceLevelSchema, confidenceMetricsSchema } from './confidence.contract.js';
import { eitherQuestion, questionFields, requireOneQuestion } from './question.contract.js';
import { retrievalDegradationSchema } from './retrieval.contract.js';
import { retrievedSourceSchema } from './source.contract.js';

/** The body of `POST /search`; `message` is an alias of `query`. */
export const searchRequestBodySchema = z
  .strictObject(questionFields)
  .check(requireOneQuestion('query'))
  .meta(eitherQuestion);

/** A retrieved passage with its whole text, and its neighbours if the worker returns them. */
export const searchResultSchema = retrievedSourceSchema.extend({
  text: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
});

export const searchResponseSchema = z.object({
  request_id: z.uuid(),
  query: z.string(),
  /** Best first. */
  results: z.array(searchResultSchema),
  confidence: z.number().min(0).max(1),
  confidence_level: confidenceLevelSchema,
  should_answer: z.boolean(),
  metrics: confidenceMetricsSchema.omit({ confidence_level: true, should_answer: true }),
  timestamp: z.iso.datetime(),
  metadata: z.object({
    degraded_reason: retrievalDegradationSchema.optional(),
    retrieval_count: z.int(),
    /** `total` is measured at the gateway, and includes the time in the queue. */
    timings_ms: z.object({ embedding: z.number(), search: z.number(), total: z.number() }),
  }),
});
export type SearchResponse = z.infer<typeof searchResponseSchema>;
