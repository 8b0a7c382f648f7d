import { z } from 'zod';

export const THREAD_TITLE_MAX_CHARACTERS = 80;
export const THREADS_PER_PAGE_MAX = 100;
export const THREADS_PER_PAGE_DEFAULT = 20;

export const threadSummarySchema = z.object({
  session_id: z.uuid(),
  /** The beginning of the first question. */
  title: z.string(),
  message_count: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type ThreadSummary = z.infer<typeof threadSummarySchema>;

/** What `GET /threads` answers, newest first; `next_cursor` is there when more follow. */
export const threadListSchema = z.object({
  threads: z.array(threadSummarySchema),
  next_cursor: z.string().optional(),
});
export type ThreadList = z.infer<typeof threadListSchema>;
