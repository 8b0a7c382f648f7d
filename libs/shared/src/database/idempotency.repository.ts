import { sql } from 'kysely';
import type { Database } from './database.js';
import { toRun, type Run } from './run.repository.js';

/** How long an idempotency key names its run. */
export const IDEMPOTENCY_KEY_HOURS = 24;

const validSince = sql<Date>`now() - make_interval(hours => ${IDEMPOTENCY_KEY_HOURS})`;

/** The run that a tenant's key names. A key that has expired names none, and is freed for the next run. */
export async function findRunByKey(db: Database, tenant: string, key: string): Promise<Run | undefined> {
  const named = db
    .selectFrom('runs')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('idempotency_key', '=', key);
  const row = await named.where('accepted_at', '>', validSince).executeTakeFirst();
  if (row) return toRun(row);
  await db
    .updateTable('runs')
    .set({ idempotency_key: null })
    .where('tenant', '=', tenant)
    .where('idempotency_key', '=', key)
    .where('accepted_at', '<=', validSince)
    .execute();
  return undefined;
}

/** Frees the key of a run, so that the next question can use it. */
export async function freeKey(db: Database, runId: string): Promise<void> {
  await db.updateTable('runs').set({ idempotency_key: null }).where('id', '=', runId).execute();
}
