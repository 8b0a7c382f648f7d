import { sql } from 'kysely';
import type { Database } from './database.js';

/**
 * Archives threads that were not used for so long, at most `limit`, and answers how many. Any number of processes may
 * do so at once: each takes others, and a thread that is being used is left alone.
 */
export async function archiveIdleThreads(
  db: Database,
  { idleMs, limit }: { idleMs: number; limit: number },
): Promise<number> {
  const idle = db
    .selectFrom('threads')
    .select('id')
    .where('archived_at', 'is', null)
    .where('updated_at', '<', sql<Date>`now() - make_interval(secs => ${idleMs / 1000})`)
    .orderBy('updated_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const result = await db
    .updateTable('threads')
    .set({ archived_at: sql<Date>`now()` })
    .where('id', 'in', idle)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
