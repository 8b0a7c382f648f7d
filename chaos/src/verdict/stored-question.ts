import type { Ending } from '../clients/client-view.js';

/** The rows of a question in Postgres, found by its session. */
export interface StoredQuestion {
  runs: StoredRun[];
  messages: StoredMessage[];
}

export interface StoredRun {
  id: string;
  attempt: number;
  ending: Ending | undefined;
}

export interface StoredMessage {
  runId: string;
  role: 'user' | 'assistant';
  content: string;
}
