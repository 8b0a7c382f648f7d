import { Migrator } from 'kysely';
import type { Logger } from '../logging/index.js';
import type { Database } from './database.js';
import * as runsAndThreads from './migrations/0001-runs-and-threads.js';
import * as cancelledRuns from './migrations/0002-cancelled-runs.js';
import * as threadsByAge from './migrations/0003-threads-by-age.js';
import * as modelUsage from './migrations/0004-model-usage.js';
import * as runsAskedAgain from './migrations/0005-runs-asked-again.js';
import * as threadLives from './migrations/0006-thread-lives.js';
import * as apiKeys from './migrations/0007-api-keys.js';

const migrations = {
  '0001-runs-and-threads': runsAndThreads,
  '0002-cancelled-runs': cancelledRuns,
  '0003-threads-by-age': threadsByAge,
  '0004-model-usage': modelUsage,
  '0005-runs-asked-again': runsAskedAgain,
  '0006-thread-lives': threadLives,
  '0007-api-keys': apiKeys,
};

/** Brings the schema up to date; the migrator holds a Postgres advisory lock, so any number may start at once. */
export async function migrate(db: Database, logger: Logger): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  for (const { migrationName, status } of results) {
    logger.info({ migration: migrationName, status }, 'Migration');
  }
  if (error) throw error instanceof Error ? error : new Error('Migration failed', { cause: error });
}
