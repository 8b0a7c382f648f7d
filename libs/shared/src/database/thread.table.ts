import type { ColumnType, Generated } from 'kysely';
import type { ConfidenceLevel } from '../contracts/confidence.contract.js';
import type { Source } from '../contracts/source.contract.js';

export interface ThreadTable {
  id: string;
  tenant: string;
  /** Also the sequence number of the newest message. */
  message_count: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** A search made for an answer, kept with the message. */
export interface RetrievalCallRecord {
  tool: string;
  query: string;
  results: number;
  mean_similarity: number;
  took_ms: number;
  at: string;
}

export interface MessageTable {
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
