import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('cancel_requested_at', 'timestamptz').execute();
}

export async function down(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('runs').dropColumn('cancel_requested_at').execute();
}
