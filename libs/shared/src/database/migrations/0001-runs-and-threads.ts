import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('runs')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('session_id', 'uuid', (column) => column.notNull())
    .addColumn('request', 'jsonb', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('queued'))
    .addColumn('attempt', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('accepted_at', 'timestamptz', (column) => column.notNull())
    .addColumn('deadline_at', 'timestamptz', (column) => column.notNull())
    .addColumn('finished_at', 'timestamptz')
    .addColumn('outcome', 'jsonb')
    .addCheckConstraint('runs_outcome_when_finished', sql`(finished_at IS NULL) = (outcome IS NULL)`)
    .execute();
  // Partial, since few runs are unfinished.
  await sql`CREATE INDEX runs_unfinished ON runs (accepted_at) WHERE finished_at IS NULL`.execute(db);

  await db.schema
    .createTable('threads')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('message_count', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();

  await db.schema
    .createTable('messages')
    .addColumn('thread_id', 'uuid', (column) => column.notNull().references('threads.id').onDelete('cascade'))
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('run_id', 'uuid', (column) => column.notNull())
    .addColumn('confidence', 'double precision')
    .addColumn('confidence_level', 'text')
    .addColumn('sources', 'jsonb')
    .addColumn('retrieval_calls', 'jsonb')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('messages_pkey', ['thread_id', 'seq'])
    .addCheckConstraint('messages_alternate', sql`(role = 'user') = (seq % 2 = 1)`)
    .execute();
}

export async function down(db: Kysely<never>): Promise<void> {
  await db.schema.dropTable('messages').execute();
  await db.schema.dropTable('threads').execute();
  await db.schema.dropTable('runs').execute();
}
