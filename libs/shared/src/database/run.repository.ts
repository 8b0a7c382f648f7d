import { sql, type Selectable } from 'kysely';
import type { ChatRequest } from '../contracts/chat-request.contract.js';
import type { RunOutcome, RunState } from '../contracts/run-event.contract.js';
import type { Database } from './database.js';
import type { RunTable } from './run.table.js';

export interface NewRun {
  id: string;
  tenant: string;
  request: ChatRequest;
  idempotency?: IdempotencyClaim | undefined;
  acceptedAt: Date;
  deadlineAt: Date;
}

/** The attempt of a run before its first claim; the first worker's events outrank those written with it. */
export const ATTEMPT_BEFORE_FIRST = 0;

/** The `Idempotency-Key` of a question, and the hash of its body. */
export interface IdempotencyClaim {
  key: string;
  bodyHash: string;
}

export interface Run extends NewRun {
  state: RunState;
  attempt: number;
  cancelRequested: boolean;
  /** Its last client has disconnected, and its `on_disconnect` is `cancel`. */
  abandoned: boolean;
  outcome: RunOutcome | null;
}

/**
 * Accepts runs in one statement. Returns the ids of those it accepted: a run whose tenant has used its idempotency key
 * before is left out.
 */
export async function insertRuns(db: Database, runs: readonly NewRun[]): Promise<Set<string>> {
  const accepted = await db
    .insertInto('runs')
    .values(
      runs.map((run) => ({
        id: run.id,
        tenant: run.tenant,
        session_id: run.request.session_id,
        request: JSON.stringify(run.request),
        idempotency_key: run.idempotency?.key ?? null,
        body_hash: run.idempotency?.bodyHash ?? null,
        accepted_at: run.acceptedAt,
        deadline_at: run.deadlineAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'idempotency_key']).where('idempotency_key', 'is not', null).doNothing(),
    )
    .returning('id')
    .execute();
  return new Set(accepted.map(({ id }) => id));
}

export async function findRun(db: Database, id: string): Promise<Run | undefined> {
  const row = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toRun(row);
}

/** Begins an execution of an unfinished run by raising its attempt; undefined if it has ended. */
export async function claimRun(db: Database, id: string): Promise<Run | undefined> {
  const row = await db
    .updateTable('runs')
    .set((eb) => ({ attempt: eb('attempt', '+', 1), state: 'retrieving' }))
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row && toRun(row);
}

/** Stores a run's outcome, once: returns false if it had ended before or a later attempt owns it. */
export async function finishRun(
  db: Database,
  id: string,
  outcome: RunOutcome,
  attempt?: number,
): Promise<boolean> {
  const result = await db
    .updateTable('runs')
    .set({ state: outcome.type, outcome: JSON.stringify(outcome), finished_at: new Date() })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .$if(attempt !== undefined, (query) => query.where('attempt', '=', attempt as number))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Marks an unfinished run as to be cancelled, and returns the run; one that has ended is not changed. Idempotent.
 */
export async function requestCancel(db: Database, id: string): Promise<Run | undefined> {
  const row = await db
    .updateTable('runs')
    .set((eb) => ({ cancel_requested_at: eb.fn.coalesce('cancel_requested_at', sql<Date>`now()`) }))
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row && toRun(row);
}

/** What the worker that executes a run checks. */
export interface RunStanding {
  id: string;
  /** The newest. */
  attempt: number;
  cancelRequested: boolean;
  hasEnded: boolean;
}

export async function standingOf(db: Database, ids: readonly string[]): Promise<RunStanding[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'attempt', 'cancel_requested_at', 'finished_at'])
    .where('id', 'in', ids)
    .execute();
  return rows.map(({ id, attempt, cancel_requested_at, finished_at }) => ({
    id,
    attempt,
    cancelRequested: cancel_requested_at !== null,
    hasEnded: finished_at !== null,
  }));
}

export function toRun(row: Selectable<RunTable>): Run {
  return {
    id: row.id,
    tenant: row.tenant,
    request: row.request,
    ...(row.idempotency_key !== null && {
      idempotency: { key: row.idempotency_key, bodyHash: row.body_hash ?? '' },
    }),
    state: row.state,
    attempt: row.attempt,
    cancelRequested: row.cancel_requested_at !== null,
    abandoned: row.abandoned_at !== null,
    acceptedAt: row.accepted_at,
    deadlineAt: row.deadline_at,
    outcome: row.outcome,
  };
}
