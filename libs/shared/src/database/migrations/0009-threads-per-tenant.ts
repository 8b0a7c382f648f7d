import { sql, type Kysely } from 'kysely';

/**
 * Threads are found by tenant and `session_id`, which two tenants may share; the `id` is internal. No row is written and
 * messages keep their references, so that `threads` is locked only while two indexes are built; older versions go on
 * working.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE threads ADD COLUMN session_id uuid`.execute(db);
  await sql`CREATE UNIQUE INDEX threads_by_session ON threads (tenant, coalesce(session_id, id))`.execute(db);
  await sql`DROP INDEX threads_by_age`.execute(db);
  await sql`
    CREATE INDEX threads_by_age ON threads (tenant, updated_at DESC, coalesce(session_id, id) DESC)
  `.execute(db);
  // Without statistics a lookup is planned as if one thread in 200 had the same session_id.
  await sql`ANALYZE threads`.execute(db);
}

/** A thread whose `session_id` another tenant had used before is then known by its `id`. */
export async function down(db: Kysely<never>): Promise<void> {
  await sql`DROP INDEX threads_by_session, threads_by_age`.execute(db);
  await db.schema.alterTable('threads').dropColumn('session_id').execute();
  await sql`CREATE INDEX threads_by_age ON threads (tenant, updated_at DESC, id DESC)`.execute(db);
}
