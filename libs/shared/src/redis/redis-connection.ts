import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { PeriodicTask, timeBudgets } from '../time/index.js';

const RECONNECT_MAX_MS = 1000;

/**
 * How a connection behaves while Redis is down:
 * - `request`: commands fail fast, because a client waits;
 * - `worker`: commands wait until Redis is back (BullMQ requires this of worker connections);
 * - `subscriber`: subscriptions are restored after a reconnect.
 */
export type RedisRole = 'request' | 'worker' | 'subscriber';

const optionsOf = {
  request: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeBudgets.redis.commandMs,
  },
  worker: { maxRetriesPerRequest: null },
  subscriber: { maxRetriesPerRequest: null, autoResubscribe: true },
} satisfies Record<RedisRole, RedisOptions>;

/** BullMQ duplicates its connection for one that blocks until there is a job. */
class Connection extends Redis {
  override duplicate(override?: Partial<RedisOptions>): Redis {
    return super.duplicate({ socketTimeout: timeBudgets.redis.blockingResponseMs, ...override });
  }
}

/** Opens a connection; errors are logged once per outage, since ioredis repeats them at each reconnect. */
export function connectRedis(url: string, role: RedisRole, logger: Logger): Redis {
  const redis = new Connection(url, {
    ...optionsOf[role],
    // Replaces a connection that the network dropped without closing it.
    socketTimeout: timeBudgets.redis.responseMs,
    connectionName: `quire:${role}`,
    connectTimeout: 5000,
    retryStrategy: (times: number) => Math.min(50 * 2 ** Math.min(times, 10), RECONNECT_MAX_MS),
    // After a failover the old primary keeps its connections; a new connection leads to the new primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
  let isDown = false;
  redis.on('error', (error: Error) => {
    if (!isDown) logger.warn({ stage: 'queue', role, error: error.message }, 'Redis is not reachable');
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) logger.info({ stage: 'queue', role }, 'Redis is reachable again');
    isDown = false;
  });
  // `socketTimeout` needs an overdue reply, which a connection that only listens would not have.
  const pinging = new PeriodicTask(timeBudgets.redis.pingEveryMs, async () => {
    if (redis.status === 'ready') await redis.ping();
  });
  pinging.start();
  redis.once('end', () => void pinging.stop());
  return redis;
}

/** Resolves when the connection is usable; rejects when Redis does not reply in time. */
export async function awaitRedis(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.off('ready', onReady);
      reject(new Error(`Redis did not reply within ${timeoutMs} ms`));
    }, timeoutMs);
    const onReady = () => {
      clearTimeout(timer);
      resolve();
    };
    redis.once('ready', onReady);
  });
}
