import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('threads')
    .addColumn('metadata', 'jsonb', (column) => column.notNull().defaultTo(sql`'{}'::jsonb`))
    .addColumn('topic_summary', 'text', (column) => column.check(sql`char_length(topic_summary) <= 200`))
    .addColumn('summarized_messages', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('archived_at', 'timestamptz')
    .execute();
  // For the sweep of idle threads, longest idle first.
  await sql`CREATE INDEX threads_in_use ON threads (updated_at) WHERE archived_at IS NULL`.execute(db);
  // For deleting a thread's runs.
  await db.schema.createIndex('runs_by_thread').on('runs').column('session_id').execute();

  await db.schema
    .createTable('feedback')
    .addColumn('run_id', 'uuid', (column) => column.primaryKey().references('runs.id').onDelete('cascade'))
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('rating', 'text', (column) => column.notNull().check(sql`rating IN ('up', 'down')`))
    .addColumn('comment', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await db.schema.createIndex('feedback_by_age').on('feedback').column('updated_at').execute();

  await db.schema
    .alterTable('model_usage')
    .addColumn('purpose', 'text', (column) => column.notNull().defaultTo('answer'))
    .execute();
}

export async function down(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('model_usage').dropColumn('purpose').execute();
  await db.schema.dropTable('feedback').execute();
  await db.schema.dropIndex('runs_by_thread').execute();
  await db.schema.dropIndex('threads_in_use').execute();
  await db.schema
    .alterTable('threads')
    .dropColumn('metadata')
    .dropColumn('topic_summary')
    .dropColumn('summarized_messages')
    .dropColumn('archived_at')
    .execute();
}
