import { sql } from 'kysely';
import type { Database } from './database.js';

/**
 * Archives at most `limit` threads that were not used for so long, and returns how many. Locked rows are skipped, so that
 * several processes take different threads, and a thread in use is not archived.
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
