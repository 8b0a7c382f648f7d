import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('runs')
    .addColumn('idempotency_key', 'text')
    .addColumn('body_hash', 'text')
    .addColumn('abandoned_at', 'timestamptz')
    .addColumn('inserted_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await sql`
    CREATE UNIQUE INDEX runs_by_idempotency_key ON runs (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL
  `.execute(db);
}

export async function down(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('runs')
    .dropColumn('idempotency_key')
    .dropColumn('body_hash')
    .dropColumn('abandoned_at')
    .dropColumn('inserted_at')
    .execute();
}
