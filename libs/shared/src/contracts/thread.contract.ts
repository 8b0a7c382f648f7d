import { z } from 'zod';
import { confidenceLevelSchema } from './confidence.contract.js';
import { metadataSchema } from './metadata.contract.js';
import { sourceSchema } from './source.contract.js';

export const THREAD_TITLE_MAX_CHARACTERS = 80;
export const THREADS_PER_PAGE_MAX = 100;
export const THREADS_PER_PAGE_DEFAULT = 20;
export const TOPIC_SUMMARY_MAX_CHARACTERS = 200;
/** The newest messages of a thread; older ones are archived: kept, returned on request, never sent to a model. */
export const ACTIVE_MESSAGES = 50;
/** Messages in one response. */
export const MESSAGES_PER_PAGE = 1000;

/** `archived`: not used for a while; the next question makes it active again. */
export const threadStatusSchema = z.enum(['active', 'archived']);
export type ThreadStatus = z.infer<typeof threadStatusSchema>;

export const threadSummarySchema = z.object({
  session_id: z.uuid(),
  /** The beginning of the first question. */
  title: z.string(),
  /** Null until the first summary. */
  topic_summary: z.string().max(TOPIC_SUMMARY_MAX_CHARACTERS).nullable(),
  status: threadStatusSchema,
  message_count: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type ThreadSummary = z.infer<typeof threadSummarySchema>;

/** The response of `GET /threads`, newest first; `next_cursor` is present if more follow. */
export const threadListSchema = z.object({
  threads: z.array(threadSummarySchema),
  next_cursor: z.string().optional(),
});
export type ThreadList = z.infer<typeof threadListSchema>;

/** A search made for an answer. */
export const retrievalCallSchema = z.object({
  tool: z.string(),
  query: z.string(),
  results: z.int(),
  mean_similarity: z.number(),
  took_ms: z.number(),
  at: z.iso.datetime(),
});

const messageFields = {
  /** 1, 2, 3 … within the thread. */
  seq: z.int(),
  content: z.string(),
  /** The run of the message's turn. */
  request_id: z.uuid(),
  archived: z.boolean(),
  created_at: z.iso.datetime(),
};

export const threadMessageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), ...messageFields }),
  z.object({
    role: z.literal('assistant'),
    ...messageFields,
    confidence: z.number().min(0).max(1),
    confidence_level: confidenceLevelSchema,
    sources: z.array(sourceSchema),
    retrieval_calls: z.array(retrievalCallSchema),
  }),
]);
export type ThreadMessage = z.infer<typeof threadMessageSchema>;

/** A thread without its messages; the response of `PATCH /threads/{id}`. */
export const threadDetailsSchema = threadSummarySchema.extend({ metadata: metadataSchema });
export type ThreadDetails = z.infer<typeof threadDetailsSchema>;

/** The response of `GET /threads/{id}`, oldest message first; `next_before` is present if there are older ones. */
export const threadSchema = threadDetailsSchema.extend({
  messages: z.array(threadMessageSchema),
  next_before: z.int().optional(),
});
export type Thread = z.infer<typeof threadSchema>;

/**
 * The body of `PATCH /threads/{id}`: a merge patch of the metadata (RFC 7396). A key with null is removed, objects
 * are merged, every other value replaces the stored one.
 */
export const threadPatchSchema = z.strictObject({ metadata: metadataSchema });
export type ThreadPatch = z.infer<typeof threadPatchSchema>;
