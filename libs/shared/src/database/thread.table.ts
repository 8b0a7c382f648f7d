import type { ColumnType, Generated } from 'kysely';
import type { z } from 'zod';
import type { ConfidenceLevel } from '../contracts/confidence.contract.js';
import type { Metadata } from '../contracts/metadata.contract.js';
import type { Source } from '../contracts/source.contract.js';
import type { retrievalCallSchema } from '../contracts/thread.contract.js';

export interface ThreadTable {
  id: string;
  tenant: string;
  /** What the tenant calls the thread. Null for the `id`, which is another one only if that was taken by another tenant. */
  session_id: string | null;
  /** Also the sequence number of the newest message. */
  message_count: Generated<number>;
  /** The caller's own; set by `PATCH /threads/{id}`. */
  metadata: ColumnType<Metadata, string | undefined, string>;
  topic_summary: string | null;
  /** How many messages there were when the summary was made. */
  summarized_messages: Generated<number>;
  /** Null while the thread is in use. */
  archived_at: Date | null;
  created_at: Generated<Date>;
  /** When it was used last. */
  updated_at: Generated<Date>;
}

/** A search made for an answer, kept with the message. */
export type RetrievalCallRecord = z.infer<typeof retrievalCallSchema>;

export interface MessageTable {
  /** The `id` of the thread, not its `session_id`. */
  thread_id: string;
  /** 1, 2, 3 … within the thread; questions are odd, answers even. */
  seq: number;
  role: 'user' | 'assistant';
  content: string;
  run_id: string;
  confidence: number | null;
  confidence_level: ConfidenceLevel | null;
  sources: ColumnType<Source[] | null, string | null, never>;
  retrieval_calls: ColumnType<RetrievalCallRecord[] | null, string | null, never>;
  created_at: Generated<Date>;
}
