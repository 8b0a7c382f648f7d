import { sql } from 'kysely';
import type { Database } from './database.js';

export interface UnfinishedRun {
  id: string;
  tenant: string;
  attempt: number;
  acceptedAt: Date;
  deadlineAt: Date;
}

/** A page of runs without an outcome that are older than `olderThanMs`, oldest first, beginning after `after`. */
export async function unfinishedRuns(
  db: Database,
  { olderThanMs, after, limit }: { olderThanMs: number; after?: UnfinishedRun | undefined; limit: number },
): Promise<UnfinishedRun[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'tenant', 'attempt', 'accepted_at', 'deadline_at'])
    .where('finished_at', 'is', null)
    .where('inserted_at', '<', sql<Date>`now() - make_interval(secs => ${olderThanMs / 1000})`)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('accepted_at', 'id'),
          '>',
          eb.tuple(after?.acceptedAt ?? new Date(0), after?.id ?? ''),
        ),
      ),
    )
    .orderBy('accepted_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, tenant, attempt, accepted_at: acceptedAt, deadline_at: deadlineAt }) => ({
    id,
    tenant,
    attempt,
    acceptedAt,
    deadlineAt,
  }));
}

/** Those of these runs that exist and have no outcome yet. */
export async function unfinishedAmong(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
    .where('finished_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Stores that a run's last client has disconnected, unless its `on_disconnect` is `continue`, or that one is back. */
export async function setAbandoned(db: Database, runId: string, abandoned: boolean): Promise<void> {
  await db
    .updateTable('runs')
    .set({ abandoned_at: abandoned ? sql<Date>`now()` : null })
    .where('id', '=', runId)
    .where('finished_at', 'is', null)
    .$if(abandoned, (query) =>
      query.where(sql<boolean>`request->>'on_disconnect' IS DISTINCT FROM 'continue'`),
    )
    .execute();
}

/** Sets a run's `on_disconnect` to `continue`, so that a concurrent `setAbandoned` has no effect either. */
export async function keepWithoutClient(db: Database, runId: string): Promise<void> {
  await db
    .updateTable('runs')
    .set({
      request: sql<string>`jsonb_set(request, '{on_disconnect}', '"continue"')`,
      abandoned_at: null,
    })
    .where('id', '=', runId)
    .where('finished_at', 'is', null)
    .execute();
}

export interface AbandonedRun {
  id: string;
  /** Whether its grace is over. */
  isDue: boolean;
}

/** Abandoned runs whose cancellation was not requested yet, longest abandoned first; only `runId` if given. */
export async function abandonedRuns(
  db: Database,
  { graceMs, limit, runId }: { graceMs: number; limit: number; runId?: string | undefined },
): Promise<AbandonedRun[]> {
  return await db
    .selectFrom('runs')
    .select([
      'id',
      sql<boolean>`abandoned_at <= now() - make_interval(secs => ${graceMs / 1000})`.as('isDue'),
    ])
    .where('finished_at', 'is', null)
    .where('cancel_requested_at', 'is', null)
    .where('abandoned_at', 'is not', null)
    .$if(runId !== undefined, (query) => query.where('id', '=', runId ?? ''))
    .orderBy('abandoned_at')
    .limit(limit)
    .execute();
}

/** Restarts the grace of abandoned runs. */
export async function renewGrace(db: Database, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('runs')
    .set({ abandoned_at: sql<Date>`now()` })
    .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
    // A client may have reconnected meanwhile.
    .where('abandoned_at', 'is not', null)
    .where('finished_at', 'is', null)
    .execute();
}
