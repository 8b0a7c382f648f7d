import { createTestDatabase, startTcpProxy } from '@quire/testkit';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../test/silent-logger.js';
import { openDatabase, type Database } from '../database/index.js';
import { classifyError } from './classify-error.js';

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: unknown) => classifyError(error).code,
  );
}

async function connected(maxConnections = 2) {
  const { url, drop } = await createTestDatabase();
  const proxy = await startTcpProxy(url);
  const db: Database = openDatabase(proxy.url, silentLogger, maxConnections);
  onTestFinished(async () => {
    await proxy.close();
    await db.destroy();
    await drop();
  });
  return { proxy, db };
}

it('a Postgres that refuses connections is STORAGE_UNAVAILABLE', async () => {
  const { proxy, db } = await connected();
  await proxy.cut();
  expect(await codeOf(sql`SELECT 1`.execute(db))).toBe('STORAGE_UNAVAILABLE');
});

it('a Postgres connection that breaks during a query is STORAGE_UNAVAILABLE', async () => {
  const { proxy, db } = await connected();
  await sql`SELECT 1`.execute(db);
  proxy.pause();
  const broken = codeOf(sql`SELECT 1`.execute(db));
  await proxy.cut();
  expect(await broken).toBe('STORAGE_UNAVAILABLE');
});

it('a session that Postgres ends is STORAGE_UNAVAILABLE', async () => {
  const { db } = await connected();
  expect(await codeOf(sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db))).toBe(
    'STORAGE_UNAVAILABLE',
  );
});

it('a Postgres that hangs, or a pool without a free connection, is STORAGE_UNAVAILABLE', async () => {
  const { proxy, db } = await connected();
  proxy.pause();
  const { db: taken } = await connected(1);
  await taken.connection().execute(async () => {
    const codes = await Promise.all([db, taken].map((pool) => codeOf(sql`SELECT 1`.execute(pool))));
    expect(codes).toEqual(['STORAGE_UNAVAILABLE', 'STORAGE_UNAVAILABLE']);
  });
});

it('a statement that exceeds its timeout is STORAGE_UNAVAILABLE', async () => {
  const { db } = await connected();
  const slow = db.transaction().execute(async (transaction) => {
    await sql`SET LOCAL statement_timeout = 20`.execute(transaction);
    await sql`SELECT pg_sleep(20)`.execute(transaction);
  });
  expect(await codeOf(slow)).toBe('STORAGE_UNAVAILABLE');
});

it('a query that Postgres rejects as wrong is INTERNAL', async () => {
  const { db } = await connected();
  expect(await codeOf(sql`SELECT * FROM nowhere`.execute(db))).toBe('INTERNAL');
});
