import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX threads_by_age ON threads (tenant, updated_at DESC, id DESC)`.execute(db);
}

export async function down(db: Kysely<never>): Promise<void> {
  await db.schema.dropIndex('threads_by_age').execute();
}
