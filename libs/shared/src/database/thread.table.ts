import type { ColumnType, Generated } from 'kysely';
import type { z } from 'zod';
import type { ConfidenceLevel } from '../contracts/confidence.contract.js';
import type { Metadata } from '../contracts/metadata.contract.js';
import type { Source } from '../contracts/source.contract.js';
import type { retrievalCallSchema } from '../contracts/thread.contract.js';

export interface ThreadTable {
  id: string;
  tenant: string;
  /** Null if it equals `id`, which it does unless another tenant had that `id`. */
  session_id: string | null;
  /** Also the sequence number of the newest message. */
  message_count: Generated<number>;
  /** Set by `PATCH /threads/{id}`. */
  metadata: ColumnType<Metadata, string | undefined, string>;
  topic_summary: string | null;
  /** Messages at the last summary. */
  summarized_messages: Generated<number>;
  /** Null while the thread is in use. */
  archived_at: Date | null;
  created_at: Generated<Date>;
  /** The last use. */
  updated_at: Generated<Date>;
}

/** A search that was made for an answer. */
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
