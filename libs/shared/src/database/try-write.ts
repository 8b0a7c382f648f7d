import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.js';
import { insertRuns } from './run.repository.js';

/** Shorter than a health check may take; a migration that holds the table for longer is no fault of the disk. */
const LOCK_LIMIT = '500ms';

/**
 * Writes as a question does, and rolls back: throws what a question would be refused with. A row alone may fit into
 * space that the table has left over on a full disk; a new table has none, so that its first row has to grow a file.
 */
export async function tryWrite(db: Database): Promise<void> {
  const trial = await db.startTransaction().execute();
  try {
    await sql`SELECT set_config('lock_timeout', ${LOCK_LIMIT}, true)`.execute(trial);
    await sql`CREATE TEMPORARY TABLE quire_write_probe ON COMMIT DROP AS SELECT 1`.execute(trial);
    const now = new Date();
    const id = randomUUID();
    const request = { message: '', session_id: id, top_k: 1 };
    await insertRuns(trial, [{ id, tenant: '', request, acceptedAt: now, deadlineAt: now }]);
  } finally {
    await trial.rollback().execute();
  }
}
