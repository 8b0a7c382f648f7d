import { sql, type Kysely } from 'kysely';

/** Until now a tenant's callers shared one rating per answer; it is kept as that of a caller without a key. */
export async function up(db: Kysely<never>): Promise<void> {
  // The default is for older versions, which may still make keys.
  await sql`ALTER TABLE api_keys ADD COLUMN caller_id uuid NOT NULL DEFAULT gen_random_uuid()`.execute(db);
  await sql`UPDATE api_keys SET caller_id = id`.execute(db);

  await db.schema
    .alterTable('feedback')
    .addColumn('caller', 'text', (column) => column.notNull().defaultTo('local'))
    .execute();
  await db.schema
    .alterTable('feedback')
    .alterColumn('caller', (column) => column.dropDefault())
    .execute();
  await db.schema.alterTable('feedback').dropConstraint('feedback_pkey').execute();
  await db.schema
    .alterTable('feedback')
    .addPrimaryKeyConstraint('feedback_pkey', ['run_id', 'caller'])
    .execute();
}

export async function down(db: Kysely<never>): Promise<void> {
  await sql`DELETE FROM feedback older USING feedback newer
    WHERE older.run_id = newer.run_id AND (older.updated_at, older.caller) < (newer.updated_at, newer.caller)`.execute(
    db,
  );
  await db.schema.alterTable('feedback').dropConstraint('feedback_pkey').execute();
  await db.schema.alterTable('feedback').dropColumn('caller').execute();
  await db.schema.alterTable('feedback').addPrimaryKeyConstraint('feedback_pkey', ['run_id']).execute();
  await db.schema.alterTable('api_keys').dropColumn('caller_id').execute();
}
