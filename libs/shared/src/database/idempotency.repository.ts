import { sql } from 'kysely';
import type { Database } from './database.js';
import { toRun, type Run } from './run.repository.js';

/** How long a caller's key names the same run. */
export const IDEMPOTENCY_KEY_HOURS = 24;

const validSince = sql<Date>`now() - make_interval(hours => ${IDEMPOTENCY_KEY_HOURS})`;

/** The run that a tenant's key names; a key that has grown old names nothing, and is free again. */
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

/** The key names this run no longer. */
export async function freeKey(db: Database, runId: string): Promise<void> {
  await db.updateTable('runs').set({ idempotency_key: null }).where('id', '=', runId).execute();
}
