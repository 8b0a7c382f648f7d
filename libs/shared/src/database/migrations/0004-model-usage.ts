import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('model_usage')
    .addColumn('run_id', 'uuid', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('calls', 'integer', (column) => column.notNull())
    .addColumn('prompt_tokens', 'integer', (column) => column.notNull())
    .addColumn('completion_tokens', 'integer', (column) => column.notNull())
    .addColumn('estimated', 'boolean', (column) => column.notNull())
    .addColumn('cost_usd', 'double precision')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('model_usage_pkey', ['run_id', 'attempt', 'model'])
    .execute();
  // For a tenant's spend since a day.
  await db.schema
    .createIndex('model_usage_by_tenant')
    .on('model_usage')
    .columns(['tenant', 'created_at'])
    .execute();
}

export async function down(db: Kysely<never>): Promise<void> {
  await db.schema.dropTable('model_usage').execute();
}
