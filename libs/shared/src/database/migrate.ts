import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, Migrator, PostgresDialect } from 'kysely';
import pg from 'pg';
import { classifyError } from '../errors/index.js';
import type { Logger } from '../logging/index.js';
import { hearLostConnections } from './database.js';
import * as runsAndThreads from './migrations/0001-runs-and-threads.js';
import * as cancelledRuns from './migrations/0002-cancelled-runs.js';
import * as threadsByAge from './migrations/0003-threads-by-age.js';
import * as modelUsage from './migrations/0004-model-usage.js';
import * as runsAskedAgain from './migrations/0005-runs-asked-again.js';
import * as threadLives from './migrations/0006-thread-lives.js';
import * as apiKeys from './migrations/0007-api-keys.js';
import * as feedbackByCaller from './migrations/0008-feedback-by-caller.js';

const migrations = {
  '0001-runs-and-threads': runsAndThreads,
  '0002-cancelled-runs': cancelledRuns,
  '0003-threads-by-age': threadsByAge,
  '0004-model-usage': modelUsage,
  '0005-runs-asked-again': runsAskedAgain,
  '0006-thread-lives': threadLives,
  '0007-api-keys': apiKeys,
  '0008-feedback-by-caller': feedbackByCaller,
};

const RETRY_MS = 500;
const CONNECT_LIMIT_MS = 3000;

/**
 * Brings the schema up to date; the migrator holds a Postgres advisory lock, so any number may start at once. While
 * Postgres is away it is tried again for as long as the caller's patience lasts.
 */
export async function migrate(databaseUrl: string, logger: Logger, patienceMs = 0): Promise<void> {
  const db = openForMigration(databaseUrl, logger);
  const giveUpAt = Date.now() + patienceMs;
  try {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await migrateToLatest(db, logger);
      } catch (error) {
        if (!classifyError(error).retryable || Date.now() >= giveUpAt) throw error;
        if (isFirst) logger.warn({ error }, 'Waiting for Postgres');
        await sleep(RETRY_MS);
      }
    }
  } finally {
    await db.destroy();
  }
}

/** A connection without the time limits of the others: an index on a large table takes as long as it takes. */
function openForMigration(connectionString: string, logger: Logger): Kysely<never> {
  const pool = new pg.Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    options: '-c statement_timeout=0',
    keepAlive: true,
    application_name: 'quire-migration',
  });
  hearLostConnections(pool, logger);
  return new Kysely<never>({ dialect: new PostgresDialect({ pool }) });
}

async function migrateToLatest(db: Kysely<never>, logger: Logger): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  for (const { migrationName, status } of results) {
    logger.info({ migration: migrationName, status }, 'Migration');
  }
  if (error) throw error instanceof Error ? error : new Error('Migration failed', { cause: error });
}
