import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, Migrator, PostgresDialect } from 'kysely';
import pg from 'pg';
import { classifyError } from '../errors/index.js';
import type { Logger } from '../logging/index.js';
import { hearLostConnections } from './database.js';
import { migrations } from './migrations.js';

const RETRY_MS = 500;
const CONNECT_LIMIT_MS = 3000;
/** How often somebody who waits is told so, and Postgres is asked whether it is still there. */
const LOOK_EVERY_MS = 5000;
/** A process that holds the lock and does nothing, as one that is frozen, loses both to the next. */
const IDLE_LIMIT_MS = 15_000;

/**
 * Brings the schema up to date; the migrator holds a Postgres advisory lock, so any number may start at once. While
 * Postgres is away it is tried again for as long as the caller's patience lasts; a migration that is under way, here or
 * in another process, takes as long as it takes.
 */
export async function migrate(databaseUrl: string, logger: Logger, patienceMs = 0): Promise<void> {
  const pool = openForMigration(databaseUrl, logger);
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) });
  let giveUpAt = Date.now() + patienceMs;
  const stopLooking = lookAfter(pool, databaseUrl, logger, () => (giveUpAt = Date.now() + patienceMs));
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
    stopLooking();
    await db.destroy();
  }
}

/** A connection without the time limits of the others: an index on a large table takes as long as it takes. */
function openForMigration(connectionString: string, logger: Logger): pg.Pool {
  const limits = { statement_timeout: 0, idle_session_timeout: IDLE_LIMIT_MS };
  const options = { ...limits, idle_in_transaction_session_timeout: IDLE_LIMIT_MS };
  const pool = new pg.Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    options: Object.entries(options)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    keepAlive: true,
    keepAliveInitialDelayMillis: LOOK_EVERY_MS,
    application_name: 'quire-migration',
  });
  hearLostConnections(pool, logger);
  return pool;
}

/**
 * Without a time limit for its statements a migration would wait for ever for a Postgres that has fallen silent: it is
 * asked over a second connection, and the first one is ended if there is no answer.
 */
function lookAfter(pool: pg.Pool, databaseUrl: string, logger: Logger, onAnswer: () => void): () => void {
  let client: pg.PoolClient | undefined;
  pool.on('connect', (connected) => (client = connected));
  pool.on('remove', () => (client = undefined));
  const look = async () => {
    const migrating = client;
    if (!migrating) return;
    logger.info('Waiting for the migration of the database, here or in another process');
    if (await answers(databaseUrl)) onAnswer();
    else await migrating.end().catch(() => {});
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** Whether there is any answer in time, be it an error. */
async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  });
  client.on('error', () => {});
  const answered = client.connect().then(
    () => true,
    (error: unknown) => error instanceof pg.DatabaseError,
  );
  const isThere = await Promise.race([answered, sleep(CONNECT_LIMIT_MS, false, { ref: false })]);
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
