import { Redis } from 'ioredis';
import { inject } from 'vitest';

const COUNTER = 'quire:testkit:databases';

/**
 * A Redis URL with an empty logical database of its own. Channels are not per database: tests that publish should
 * use unique names (run ids are).
 */
export async function testRedisUrl(): Promise<string> {
  const url = new URL(inject('quireStores').redisUrl);
  const client = new Redis(url.href, { maxRetriesPerRequest: 1 });
  try {
    const [, databases = '16'] = await client.config('GET', 'databases');
    // Database 0 holds the counter; after the last one the oldest is used again.
    const database = 1 + ((await client.incr(COUNTER)) % (Number(databases) - 1));
    await client.select(database);
    await client.flushdb();
    url.pathname = `/${database}`;
    return url.href;
  } finally {
    client.disconnect();
  }
}
