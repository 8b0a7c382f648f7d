import type { Ending } from '../clients/client-view.js';

/** What Postgres holds of one question: everything that bears its session. */
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
