import { createTestDatabase } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { migrate, openDatabase, type Database } from '../src/database/index.js';
import { connectRedis, type RedisRole } from '../src/redis/index.js';
import { silentLogger } from './silent-logger.js';

/** A connection as our processes open it, closed when the test is over. */
export function redisForTest(url: string, role: RedisRole = 'worker'): Redis {
  const redis = connectRedis(url, role, silentLogger);
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** A new migrated database; `close` drops it. */
export async function openTestDatabase(): Promise<{ db: Database; close: () => Promise<void> }> {
  const { url, drop } = await createTestDatabase();
  await migrate(url, silentLogger);
  const db = openDatabase(url, silentLogger);
  const close = async () => {
    await db.destroy();
    await drop();
  };
  return { db, close };
}
