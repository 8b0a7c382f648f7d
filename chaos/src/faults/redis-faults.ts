import { truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { appendOnlyFile } from '@quire/testkit/append-only-file';
import { Redis } from 'ioredis';
import type { Fault } from './fault.js';

/** What a crash may cost with `appendfsync everysec`. */
const UNSYNCED_MS = 1000;
const UNLIMITED = 0;

/** What only Redis can suffer. */
export const redisFaults = {
  'redis-flush': {
    inject: ({ stores }) => command(stores.redis.url, (redis) => redis.flushall()),
    clear: async () => {},
  },
  'redis-pause': {
    inject: async ({ stores }) => stores.redis.signal('SIGSTOP'),
    clear: async ({ stores }) => stores.redis.signal('SIGCONT'),
  },
  'redis-full': {
    inject: ({ stores }) => command(stores.redis.url, (redis) => redis.config('SET', 'maxmemory', 1)),
    clear: ({ stores }) => command(stores.redis.url, (redis) => redis.config('SET', 'maxmemory', UNLIMITED)),
  },
  // The system keeps what a killed process has written: only a cut file is what a power failure leaves.
  'redis-crash': {
    async inject({ stores }) {
      const synced = await appendOnlyFile(stores.redis.dataDir);
      await sleep(UNSYNCED_MS);
      await stores.redis.kill();
      await truncate(synced.path, synced.bytes);
    },
    clear: ({ stores }) => stores.redis.start(),
  },
  'redis-failover': {
    async inject({ stores }) {
      await stores.redis.proxy.cut();
      await stores.redis.replaceByEmpty();
    },
    clear: ({ stores }) => stores.redis.proxy.restore(),
  },
} satisfies Record<string, Fault>;

async function command(url: string, send: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(url);
  try {
    await send(redis);
  } finally {
    redis.disconnect();
  }
}
