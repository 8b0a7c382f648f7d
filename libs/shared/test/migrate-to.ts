import { Migrator } from 'kysely';
import type { Database } from '../src/database/index.js';
import { migrations } from '../src/database/migrations.js';

/** Migrates an empty database to an earlier version, or a newer one back to it. */
export async function migrateTo(db: Database, last: keyof typeof migrations): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  const { error } = await new Migrator({ db, provider }).migrateTo(last);
  if (error) throw error instanceof Error ? error : new Error('not migrated', { cause: error });
}
