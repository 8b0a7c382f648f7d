import { z } from 'zod';
import { confidenceLevelSchema } from './confidence.contract.js';
import { sourceSchema } from './source.contract.js';

export const answerModeSchema = z.enum([
  'full',
  'low_confidence',
  'no_results',
  'retrieval_only',
  'selected_text',
]);
export type AnswerMode = z.infer<typeof answerModeSchema>;

export const tokensUsedSchema = z.object({ prompt: z.int(), completion: z.int(), total: z.int() });
export type TokensUsed = z.infer<typeof tokensUsedSchema>;

/** What was removed from a model's Markdown. */
export const markupRemovedSchema = z.object({
  links: z.int().min(0).describe('Links, bare addresses among them, that lead elsewhere than to a source'),
  images: z.int().min(0),
  html: z.int().min(0).describe('HTML tags and comments that are shown as text'),
});
export type MarkupRemoved = z.infer<typeof markupRemovedSchema>;

export const chatResponseSchema = z.object({
  request_id: z.uuid(),
  session_id: z.uuid(),
  query: z.string(),
  answer: z.string().nullable(),
  fallback_message: z.string().optional(),
  sources: z.array(sourceSchema),
  confidence: z.number().min(0).max(1),
  confidence_level: confidenceLevelSchema,
  should_answer: z.boolean(),
  timestamp: z.iso.datetime(),
  metadata: z.object({
    mode: answerModeSchema,
    degraded_reason: z
      .string()
      .optional()
      .describe(
        'Why the answer is less than it could be. Without an answer: `model_not_configured`, `model_unavailable`, ' +
          '`model_rate_limited`, `model_misconfigured` (the key or the model name is refused), `request_rejected` (the ' +
          'provider refuses this one request, for example as too long), `answer_filtered`, `model_overdue`. With one: ' +
          '`answer_truncated`, `embedding_unavailable`, `rerank_unavailable`',
      ),
    low_confidence: z.boolean(),
    uncited: z.boolean().optional(),
    markup_removed: markupRemovedSchema
      .optional()
      .describe('Absent where nothing was, and always with `markup: "raw"`'),
    retrieval_count: z.int(),
    model: z.string().nullable(),
    tokens_used: tokensUsedSchema,
    /** Whether some were estimated because the provider did not report them. */
    tokens_estimated: z.boolean().optional(),
    /** Absent if a model that was called has no price. */
    cost_usd: z.number().optional(),
    timings_ms: z.object({
      queued: z.number(),
      retrieval: z.number(),
      generation: z.number(),
      total: z.number(),
    }),
    rewritten_query: z.string().optional(),
    attempts: z.int(),
  }),
});
export type ChatResponse = z.infer<typeof chatResponseSchema>;
