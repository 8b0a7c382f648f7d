import { sql } from 'kysely';
import type { RunOutcome } from '../contracts/run-event.contract.js';
import type { Database } from './database.js';
import { isThreadOf, type ThreadOwner } from './thread-owner.js';
import { unlinkUsage } from './usage.repository.js';

export interface DeletedRun {
  id: string;
  attempt: number;
  /** Null for a run that was under way. */
  endedAt: Date | null;
}

/** The outcome that followers of a deleted run get; its spend is stored without its id. */
export function deletedOutcome(runId: string): RunOutcome {
  const tokens_used = { prompt: 0, completion: 0, total: 0 };
  return { type: 'cancelled', data: { request_id: runId, tokens_used } };
}

/** Runs of a tenant's thread that are still under way. */
export async function unfinishedRunsOf(db: Database, { threadId, tenant }: ThreadOwner): Promise<string[]> {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('tenant', '=', tenant)
    .where('session_id', '=', threadId)
    .where('finished_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Deletes a thread with its messages, runs and feedback, and returns the runs; undefined if the tenant has neither a
 * thread nor a run of this id. A deleted run cannot commit a turn. Its spend is kept under a random id. Run inside a
 * transaction.
 */
export async function deleteThread(db: Database, owner: ThreadOwner): Promise<DeletedRun[] | undefined> {
  const { threadId, tenant } = owner;
  // In order of their ids: two deletions of one thread would deadlock otherwise.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${tenant}, hashtextextended(${threadId}, 0)))`.execute(
    db,
  );
  const deleting = db.deleteFrom('runs').returning(['id', 'attempt', 'finished_at']);
  // Runs before the thread, in the order in which a commit locks them.
  const runs = await deleting.where('tenant', '=', tenant).where('session_id', '=', threadId).execute();
  const thread = await db
    .selectFrom('threads')
    .select('id')
    .where(isThreadOf(owner))
    .forUpdate()
    .executeTakeFirst();
  if (thread) {
    // While the first statement waited for a commit, another run may have been accepted and have ended.
    const questions = await db
      .selectFrom('messages')
      .select('run_id')
      .where('thread_id', '=', thread.id)
      .where('role', '=', 'user')
      .execute();
    const committed = questions.map(({ run_id }) => run_id);
    runs.push(...(await deleting.where(sql<boolean>`id = ANY(${committed}::uuid[])`).execute()));
    await db.deleteFrom('threads').where('id', '=', thread.id).execute();
  } else if (runs.length === 0) return undefined;
  await unlinkUsage(
    db,
    runs.map(({ id }) => id),
  );
  return runs.map(({ id, attempt, finished_at }) => ({ id, attempt, endedAt: finished_at }));
}
