import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { timeBudgets } from '../time/index.js';
import type { Database } from './database.js';
import { insertRuns } from './run.repository.js';

/**
 * Writes as a question does, and rolls back: throws the error a question would get. On a full disk a row may still fit
 * into the table's free space; the first row of a new table must grow a file. A migration that locks the table for long
 * is no failure.
 */
export async function tryWrite(db: Database): Promise<void> {
  const trial = await db.startTransaction().execute();
  try {
    await sql`SELECT set_config('lock_timeout', ${`${timeBudgets.health.writeLockMs}ms`}, true)`.execute(
      trial,
    );
    await sql`CREATE TEMPORARY TABLE quire_write_probe ON COMMIT DROP AS SELECT 1`.execute(trial);
    const now = new Date();
    const id = randomUUID();
    const request = { message: '', session_id: id, top_k: 1 };
    await insertRuns(trial, [{ id, tenant: '', request, acceptedAt: now, deadlineAt: now }]);
  } finally {
    await trial.rollback().execute();
  }
}
