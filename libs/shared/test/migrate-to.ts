import { Migrator } from 'kysely';
import type { Database } from '../src/database/index.js';
import { migrations } from '../src/database/migrations.js';

/** Makes an empty database one of an earlier version, or takes a newer one back to it. */
export async function migrateTo(db: Database, last: keyof typeof migrations): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  const { error } = await new Migrator({ db, provider }).migrateTo(last);
  if (error) throw error instanceof Error ? error : new Error('not migrated', { cause: error });
}
