import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, Migrator } from 'kysely';
import pg from 'pg';
import { classifyError } from '../errors/index.js';
import type { Logger } from '../logging/index.js';
import { within } from '../time/index.js';
import { migrations } from './migrations.js';
import { dialectOf, openPool } from './postgres-pool.js';

const RETRY_MS = 500;
const CONNECT_LIMIT_MS = 3000;
/** How often a migration that waits is logged and Postgres is checked over a second connection. */
const CHECK_EVERY_MS = 5000;
/** Postgres ends the session of a process that holds the migration lock and does nothing, such as a frozen one. */
const IDLE_LIMIT_MS = 15_000;

/**
 * Brings the schema up to date. The migrator holds a Postgres advisory lock, so any number of processes may start at
 * once. While Postgres is away it is retried for `retryForMs`; a migration under way, here or in another process, has
 * no time limit.
 */
export async function migrate(databaseUrl: string, logger: Logger, retryForMs = 0): Promise<void> {
  const pool = openForMigration(databaseUrl, logger);
  const db = new Kysely<never>({ dialect: dialectOf(pool) });
  let giveUpAt = Date.now() + retryForMs;
  const check = checkWhileWaiting(pool, databaseUrl, logger, () => (giveUpAt = Date.now() + retryForMs));
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
    clearInterval(check);
    await db.destroy();
  }
}

/** A connection without a statement timeout: building an index on a large table may take long. */
function openForMigration(connectionString: string, logger: Logger): pg.Pool {
  const limits = { statement_timeout: 0, idle_session_timeout: IDLE_LIMIT_MS };
  const options = { ...limits, idle_in_transaction_session_timeout: IDLE_LIMIT_MS };
  const config = {
    connectionString,
    max: 1,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    options: Object.entries(options)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    keepAlive: true,
    keepAliveInitialDelayMillis: CHECK_EVERY_MS,
    application_name: 'quire-migration',
  };
  return openPool(config, logger);
}

/**
 * Without a statement timeout a migration would wait for ever for a Postgres that has fallen silent: its connection is
 * closed when a second one gets no response.
 */
function checkWhileWaiting(pool: pg.Pool, databaseUrl: string, logger: Logger, onResponse: () => void) {
  let client: pg.PoolClient | undefined;
  pool.on('connect', (connected) => (client = connected));
  pool.on('remove', () => (client = undefined));
  const check = async () => {
    const migrating = client;
    if (!migrating) return;
    logger.info('Waiting for the migration of the database, here or in another process');
    if (await responds(databaseUrl)) onResponse();
    else await migrating.end().catch(() => {});
  };
  return setInterval(() => void check(), CHECK_EVERY_MS);
}

/** Whether Postgres responds in time, even if with an error. */
async function responds(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  client.on('error', () => {});
  const responded = client.connect().then(
    () => true,
    (error: unknown) => error instanceof pg.DatabaseError,
  );
  const isThere = await within(CONNECT_LIMIT_MS, responded, false);
  void client.end().catch(() => {});
  return isThere;
}

async function migrateToLatest(db: Kysely<never>, logger: Logger): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  for (const { migrationName, status } of results) {
    logger.info({ migration: migrationName, status }, 'Migration');
  }
  if (error) throw error instanceof Error ? error : new Error('Migration failed', { cause: error });
}
