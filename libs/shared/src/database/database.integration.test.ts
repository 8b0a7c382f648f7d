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
