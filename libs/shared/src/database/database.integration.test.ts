import { createTestDatabase, startTcpProxy } from '@quire/testkit';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../test/silent-logger.js';
import { openDatabase } from './database.js';

async function databaseBehindProxy(maxConnections?: number) {
  const { url, drop } = await createTestDatabase();
  const proxy = await startTcpProxy(url);
  const db = openDatabase(proxy.url, silentLogger, maxConnections);
  onTestFinished(async () => {
    await db.destroy();
    await proxy.close();
    await drop();
  });
  return { db, proxy };
}

it('a connection that the network has dropped without a word costs one query, and is replaced', async () => {
  const { db, proxy } = await databaseBehindProxy(1);
  await sql`SELECT 1`.execute(db);
  proxy.strand();
  await expect(sql`SELECT 1`.execute(db)).rejects.toThrow('Query read timeout');
  expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
}, 20_000);

it('a transaction that Postgres leaves unanswered fails with that, and not with its rollback', async () => {
  const { db, proxy } = await databaseBehindProxy(1);
  const transaction = db.transaction().execute(async (open) => {
    await sql`SELECT 1`.execute(open);
    proxy.strand();
    await sql`SELECT 1`.execute(open);
  });
  await expect(transaction).rejects.toThrow('Query read timeout');
}, 20_000);

it('however many queries come at once, there are no more connections than were asked for, and none is refused', async () => {
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
