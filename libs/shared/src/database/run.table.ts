import type { ColumnType, Generated } from 'kysely';
import type { ChatRequest } from '../contracts/chat-request.contract.js';
import type { RunOutcome, RunState } from '../contracts/run-event.contract.js';

/** One accepted question; authoritative, whatever happens to the queue. */
export interface RunTable {
  id: string;
  tenant: string;
  session_id: string;
  request: ColumnType<ChatRequest, string, string>;
  state: Generated<RunState>;
  /** Claims so far; the latest execution owns the run. */
  attempt: Generated<number>;
  accepted_at: ColumnType<Date, Date, never>;
  deadline_at: ColumnType<Date, Date, never>;
  /** By the clock of Postgres; may be much later than `accepted_at`. */
  inserted_at: Generated<Date>;
  /** `Idempotency-Key` and hash of the body; one run per tenant and key. */
  idempotency_key: string | null;
  body_hash: string | null;
  /** When its last client disconnected, if its `on_disconnect` is `cancel`. */
  abandoned_at: Date | null;
  /** When its cancellation was first requested. */
  cancel_requested_at: Date | null;
  finished_at: Date | null;
  outcome: ColumnType<RunOutcome | null, string | null, string>;
}
