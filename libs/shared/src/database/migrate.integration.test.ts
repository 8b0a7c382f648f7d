import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, eventually, startTcpProxy } from '@quire/testkit';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { migrateTo } from '../../test/migrate-to.js';
import { newRun } from '../../test/runs.js';
import { silentLogger } from '../../test/silent-logger.js';
import { findApiKey } from './api-key.repository.js';
import { openDatabase, type Database } from './database.js';
import { migrate } from './migrate.js';
import { findRun, insertRuns } from './run.repository.js';

/** The tables of Kysely's migrator. */
const MIGRATION_LOCK = '3853314791062309107';

/** An empty database, directly and behind a proxy, and whether a migrator waits for a lock in it. */
async function databaseForTest() {
  const { url, drop } = await createTestDatabase();
  const proxy = await startTcpProxy(url);
  const db = openDatabase(url, silentLogger, 3);
  onTestFinished(async () => {
    await db.destroy();
    await proxy.close();
    await drop();
  });
  const isWaiting = async () => {
    const waiting = sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'quire-migration' AND wait_event_type = 'Lock'`;
    expect((await waiting.execute(db)).rows).toHaveLength(1);
  };
  return { url, proxy, db, isWaiting };
}

/** Holds the migrator's lock until the transaction ends. */
async function keepMigrationLock(transaction: Database): Promise<void> {
  await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(transaction);
  await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
}

it('processes that migrate an empty database at the same time apply each migration once', async () => {
  const { url, db } = await databaseForTest();
  await Promise.all(Array.from({ length: 5 }, () => migrate(url, silentLogger)));
  const applied = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db);
  expect(applied.rows.map(({ name }) => name)).toEqual([
    '0001-runs-and-threads',
    '0002-cancelled-runs',
    '0003-threads-by-age',
    '0004-model-usage',
    '0005-runs-asked-again',
    '0006-thread-lives',
    '0007-api-keys',
    '0008-feedback-by-caller',
    '0009-threads-per-tenant',
  ]);
  const tables = await db.introspection.getTables();
  expect(tables.map(({ name }) => name).sort()).toEqual([
    'api_keys',
    'feedback',
    'messages',
    'model_usage',
    'runs',
    'threads',
  ]);
});

it('migrating again changes nothing', async () => {
  const { url, db } = await databaseForTest();
  await migrate(url, silentLogger);
  const run = newRun();
  await insertRuns(db, [run]);
  await migrate(url, silentLogger);
  expect(await findRun(db, run.id)).toMatchObject({ id: run.id });
});

it('migrate() retries while Postgres is away if it has time to', async () => {
  const { proxy, db } = await databaseForTest();
  await proxy.cut();
  const patient = migrate(proxy.url, silentLogger, 30_000);
  await expect(migrate(proxy.url, silentLogger)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await proxy.restore();
  await patient;
  const run = newRun();
  await insertRuns(db, [run]);
  expect(await findRun(db, run.id)).toMatchObject({ id: run.id });
});

it('migrate() rejects at once on an error that is not retryable', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const nowhere = new URL(url);
  nowhere.pathname = '/there-is-none';
  await expect(migrate(nowhere.href, silentLogger, 3_600_000)).rejects.toMatchObject({ code: '3D000' });
});

it('a migration has no statement timeout', async () => {
  const { url, db } = await databaseForTest();
  const STATEMENT_LIMIT_MS = 5000;
  const migrating = await db.transaction().execute(async (other) => {
    await keepMigrationLock(other);
    const waiting = migrate(url, silentLogger);
    await Promise.race([sleep(STATEMENT_LIMIT_MS + 1500), waiting]);
    return { waiting };
  });
  await migrating.waiting;
  const run = newRun();
  expect(await insertRuns(db, [run])).toEqual(new Set([run.id]));
});

it('an API key from before the column caller_id is its own caller, and earlier feedback is kept', async () => {
  const { url, db } = await databaseForTest();
  await migrateTo(db, '0007-api-keys');
  const run = newRun();
  await insertRuns(db, [run]);
  await sql`INSERT INTO feedback (run_id, tenant, rating) VALUES (${run.id}, 'acme', 'up')`.execute(db);
  const insertOldKey = (id: string, prefix: string) =>
    sql`INSERT INTO api_keys (id, tenant, name, prefix, hash, scopes)
      VALUES (${id}, 'acme', 'web', ${prefix}, '', '{chat}')`.execute(db);
  const [before, meanwhile] = [randomUUID(), randomUUID()];
  await insertOldKey(before, 'before');
  await migrate(url, silentLogger);
  expect((await findApiKey(db, 'before'))?.apiKey).toMatchObject({ id: before, callerId: before });
  expect(await db.selectFrom('feedback').select(['run_id', 'caller', 'rating']).execute()).toEqual([
    { run_id: run.id, caller: 'local', rating: 'up' },
  ]);
  // Inserted by a version that does not know the column.
  await insertOldKey(meanwhile, 'meanwhile');
  expect((await findApiKey(db, 'meanwhile'))?.apiKey.callerId).not.toBe(before);
});

it('migrate() rejects when Postgres falls silent during a migration, and logs that it waits', async () => {
  const { proxy, db, isWaiting } = await databaseForTest();
  const messages: string[] = [];
  const logger = pino(
    {},
    { write: (line: string) => messages.push((JSON.parse(line) as { msg: string }).msg) },
  );
  await db.transaction().execute(async (other) => {
    await keepMigrationLock(other);
    const migrating = migrate(proxy.url, logger, 1000);
    migrating.catch(() => {});
    await eventually(isWaiting);
    proxy.pause();
    await expect(migrating).rejects.toThrow();
  });
  expect(messages).toContain('Waiting for the migration of the database, here or in another process');
});

it('migrate() does not wait for a process that was frozen during its migration', async () => {
  const { url, proxy, db, isWaiting } = await databaseForTest();
  await migrate(url, silentLogger);
  await db.transaction().execute(async (other) => {
    await sql`LOCK TABLE kysely_migration IN ACCESS EXCLUSIVE MODE`.execute(other);
    const frozen = migrate(proxy.url, silentLogger);
    frozen.catch(() => {});
    await eventually(isWaiting);
    proxy.pause();
  });
  await expect(migrate(url, silentLogger)).resolves.toBeUndefined();
});
