import { createTestDatabase, eventually, startTcpProxy } from '@quire/testkit';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { newRun } from '../../test/runs.js';
import { silentLogger } from '../../test/silent-logger.js';
import { openDatabase, type Database } from './database.js';
import { migrate } from './migrate.js';
import { overdueOutcome } from './overdue-run.js';
import { claimRun, findRun, finishRun, insertRuns } from './run.repository.js';

async function databaseBehindProxy(maxConnections?: number) {
  const { url, drop } = await createTestDatabase();
  const proxy = await startTcpProxy(url);
  const db = openDatabase(proxy.url, silentLogger, maxConnections);
  onTestFinished(async () => {
    await db.destroy();
    await proxy.close();
    await drop();
  });
  return { db, proxy, url };
}

it('a silently dropped connection fails one query, and is replaced', async () => {
  const { db, proxy } = await databaseBehindProxy(1);
  await sql`SELECT 1`.execute(db);
  proxy.strand();
  await expect(sql`SELECT 1`.execute(db)).rejects.toThrow('Query read timeout');
  expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
});

it('when all connections are silently dropped, only the first query fails', async () => {
  const { db, proxy } = await databaseBehindProxy(4);
  const ask = () => sql`SELECT pg_sleep(0.01)`.execute(db);
  const askTogether = () => Promise.all(Array.from({ length: 4 }, ask));
  await askTogether();
  proxy.strand();
  await expect(ask()).rejects.toThrow('Query read timeout');
  await ask();
  await askTogether();
});

it('a query timeout does not close connections that have responded since the query was sent', async () => {
  const { db, proxy } = await databaseBehindProxy(2);
  const pidOf = async (on: Database) =>
    (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(on)).rows[0]?.pid;
  let answering: number | undefined;
  const transaction = db.transaction().execute(async (open) => {
    await pidOf(open);
    proxy.strand();
    const unanswered = pidOf(open);
    answering = await pidOf(db);
    await unanswered;
  });
  await expect(transaction).rejects.toThrow('Query read timeout');
  expect(await pidOf(db)).toBe(answering);
});

it('a transaction in which a query times out fails with the timeout, and not with its rollback', async () => {
  const { db, proxy } = await databaseBehindProxy(1);
  const transaction = db.transaction().execute(async (open) => {
    await sql`SELECT 1`.execute(open);
    proxy.strand();
    await sql`SELECT 1`.execute(open);
  });
  await expect(transaction).rejects.toThrow('Query read timeout');
});

it('the locks of a client that vanishes in a transaction are released', async () => {
  const { db: vanishing, proxy, url } = await databaseBehindProxy();
  await migrate(url, silentLogger);
  const db = openDatabase(url, silentLogger, 1);
  onTestFinished(() => db.destroy());
  const run = newRun();
  await insertRuns(db, [run]);
  const transaction = vanishing.transaction().execute(async (open) => {
    await claimRun(open, run.id);
    proxy.strand();
    const finish = () => finishRun(db, run.id, overdueOutcome(run.id));
    await eventually(async () => expect(await finish()).toBe(true));
    await proxy.cut();
  });
  await expect(transaction).rejects.toThrow();
  expect(await findRun(db, run.id)).toMatchObject({ attempt: 0, outcome: { type: 'failed' } });
});

it('queries beyond the size of the pool wait for a connection, and none is refused', async () => {
  const { url, drop } = await createTestDatabase();
  const [db, watching] = [openDatabase(url, silentLogger, 3), openDatabase(url, silentLogger, 1)];
  onTestFinished(async () => {
    await Promise.all([db.destroy(), watching.destroy()]);
    await drop();
  });
  let most = 0;
  const count = async () => {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(watching);
    most = Math.max(most, rows[0]?.count ?? 0);
  };
  const asked = Array.from({ length: 60 }, () => sql`SELECT pg_sleep(0.05)`.execute(db));
  for (const answer of asked) await Promise.all([count(), answer]);
  expect(most).toBe(3);
});
