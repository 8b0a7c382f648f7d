import { sql, type Kysely } from 'kysely';

/**
 * Threads are found by tenant and `session_id`, which two tenants may both use; the `id` is the database's own. No row is
 * written and messages keep their references, so that the lock on `threads` lasts no longer than it takes to build two
 * indexes; programs of before the column go on.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE threads ADD COLUMN session_id uuid`.execute(db);
  await sql`CREATE UNIQUE INDEX threads_by_session ON threads (tenant, coalesce(session_id, id))`.execute(db);
  await sql`DROP INDEX threads_by_age`.execute(db);
  await sql`
    CREATE INDEX threads_by_age ON threads (tenant, updated_at DESC, coalesce(session_id, id) DESC)
  `.execute(db);
  // Without it a lookup is planned as if one thread in 200 had the same session_id.
  await sql`ANALYZE threads`.execute(db);
}

/** A thread whose `session_id` another tenant had used before is then known by its `id`. */
export async function down(db: Kysely<never>): Promise<void> {
  await sql`DROP INDEX threads_by_session, threads_by_age`.execute(db);
  await db.schema.alterTable('threads').dropColumn('session_id').execute();
  await sql`CREATE INDEX threads_by_age ON threads (tenant, updated_at DESC, id DESC)`.execute(db);
}
