import { sql } from 'kysely';
import type { Database } from './database.js';

export interface UnfinishedRun {
  id: string;
  tenant: string;
  attempt: number;
  acceptedAt: Date;
  deadlineAt: Date;
}

/** Runs without an outcome that have been here for some time, oldest first, a page behind `after`. */
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

/** Which of these runs have no outcome yet; one that was deleted has none to wait for. */
export async function unfinishedAmong(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
    .where('finished_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Notes that a run's last client has left, unless the run goes on without one, or that somebody has come back to it. */
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

/** Lets a run go on without any client, also if the note of one that has left is still on its way. */
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
  /** Its grace is over. */
  isDue: boolean;
}

/** Unfinished runs that were left and that nobody has asked to cancel yet, or the one given if it is one; longest first. */
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

/** Lets the grace of abandoned runs begin anew. */
export async function renewGrace(db: Database, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('runs')
    .set({ abandoned_at: sql<Date>`now()` })
    .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
    // Somebody who has come back may have taken the note away since.
    .where('abandoned_at', 'is not', null)
    .where('finished_at', 'is', null)
    .execute();
}
