import { truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { appendOnlyFile } from '@quire/testkit/append-only-file';
import { Redis } from 'ioredis';
import type { Fault } from './fault.js';

/** Writes of this time may be lost in a crash with `appendfsync everysec`. */
const UNSYNCED_MS = 1000;
const UNLIMITED = 0;

/** Faults of Redis that other stores do not have. */
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
  // The kernel keeps the writes of a killed process; a power failure is simulated by cutting the file.
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
