import type { ColumnType, Generated } from 'kysely';
import type { ChatRequest } from '../contracts/chat-request.contract.js';
import type { RunOutcome, RunState } from '../contracts/run-event.contract.js';

/** One accepted question: the truth about it, whatever happens to the queue. */
export interface RunTable {
  id: string;
  tenant: string;
  session_id: string;
  request: ColumnType<ChatRequest, string, string>;
  state: Generated<RunState>;
  /** Executions begun so far; the highest one owns the run. */
  attempt: Generated<number>;
  accepted_at: ColumnType<Date, Date, never>;
  deadline_at: ColumnType<Date, Date, never>;
  /** When the row got here, which may be long after its gateway has sent it. */
  inserted_at: Generated<Date>;
  /** The caller's own name for the question, and what it was asked with; one run per tenant and key. */
  idempotency_key: string | null;
  body_hash: string | null;
  /** When its last client left it, if it is to be cancelled then. */
  abandoned_at: Date | null;
  /** When somebody first asked for the run to be cancelled; whoever executes it stops. */
  cancel_requested_at: Date | null;
  finished_at: Date | null;
  outcome: ColumnType<RunOutcome | null, string | null, string>;
}
