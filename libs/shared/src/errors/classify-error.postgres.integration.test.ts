import { createTestDatabase, startTcpProxy } from '@quire/testkit';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../test/silent-logger.js';
import { openDatabase, type Database } from '../database/index.js';
import { classifyError } from './classify-error.js';

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: unknown) => classifyError(error).code,
  );
}

describe('what Postgres and its client really throw means STORAGE_UNAVAILABLE', () => {
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

  it('when it refuses connections', async () => {
    const { proxy, db } = await connected();
    await proxy.cut();
    expect(await codeOf(sql`SELECT 1`.execute(db))).toBe('STORAGE_UNAVAILABLE');
  });

  it('when the connection breaks under a query', async () => {
    const { proxy, db } = await connected();
    await sql`SELECT 1`.execute(db);
    proxy.pause();
    const broken = codeOf(sql`SELECT 1`.execute(db));
    await proxy.cut();
    expect(await broken).toBe('STORAGE_UNAVAILABLE');
  });

  it('when it ends the session', async () => {
    const { db } = await connected();
    expect(await codeOf(sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db))).toBe(
      'STORAGE_UNAVAILABLE',
    );
  });

  it('when it hangs, or all connections of the pool are taken', async () => {
    const { proxy, db } = await connected();
    proxy.pause();
    const { db: taken } = await connected(1);
    await taken.connection().execute(async () => {
      const codes = await Promise.all([db, taken].map((pool) => codeOf(sql`SELECT 1`.execute(pool))));
      expect(codes).toEqual(['STORAGE_UNAVAILABLE', 'STORAGE_UNAVAILABLE']);
    });
  });

  it('when a statement takes too long', async () => {
    const { db } = await connected();
    const slow = db.transaction().execute(async (transaction) => {
      await sql`SET LOCAL statement_timeout = 20`.execute(transaction);
      await sql`SELECT pg_sleep(20)`.execute(transaction);
    });
    expect(await codeOf(slow)).toBe('STORAGE_UNAVAILABLE');
  });

  it('but a mistake in our query does not', async () => {
    const { db } = await connected();
    expect(await codeOf(sql`SELECT * FROM nowhere`.execute(db))).toBe('INTERNAL');
  });
});
