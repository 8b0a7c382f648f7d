import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { timeBudgets } from '../time/index.js';

const RECONNECT_MAX_MS = 1000;

/**
 * What a connection is for decides how it behaves while Redis is away:
 * - `request`: someone waits at the other end, so commands fail fast;
 * - `worker`: commands wait for Redis to come back (BullMQ asks for this on worker connections);
 * - `subscriber`: subscriptions are restored after a reconnect.
 */
export type RedisRole = 'request' | 'worker' | 'subscriber';

/**
 * A connection that a network has dropped without a word is replaced when an answer is overdue for so long: sooner than
 * those who wait for what a worker writes look elsewhere.
 */
const ANSWER_LIMIT_MS = timeBudgets.redis.responseMs;
/** Of the copy that BullMQ makes to wait for jobs, for up to 10 s at a time. */
const BLOCKING_ANSWER_LIMIT_MS = timeBudgets.redis.blockingResponseMs;
/** How often an answer is asked for where nothing else does. */
const BEAT_MS = timeBudgets.redis.pingEveryMs;

const optionsOf = {
  request: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeBudgets.redis.commandMs,
  },
  worker: { maxRetriesPerRequest: null },
  subscriber: { maxRetriesPerRequest: null, autoResubscribe: true },
} satisfies Record<RedisRole, RedisOptions>;

class Connection extends Redis {
  override duplicate(override?: Partial<RedisOptions>): Redis {
    return super.duplicate({ socketTimeout: BLOCKING_ANSWER_LIMIT_MS, ...override });
  }
}

/** Opens a connection; errors are logged once per outage, since ioredis repeats them at each reconnect. */
export function connectRedis(url: string, role: RedisRole, logger: Logger): Redis {
  const redis = new Connection(url, {
    ...optionsOf[role],
    socketTimeout: ANSWER_LIMIT_MS,
    connectionName: `quire:${role}`,
    connectTimeout: 5000,
    retryStrategy: (times: number) => Math.min(50 * 2 ** Math.min(times, 10), RECONNECT_MAX_MS),
    // A server that a failover has made a replica keeps its connections; a new one finds the primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) logger.warn({ stage: 'queue', role, error: error.message }, 'Redis is not reachable');
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.info({ stage: 'queue', role }, 'Redis is reachable again');
    away = false;
  });
  keepAsking(redis);
  return redis;
}

/** A connection that only listens would never find out that nobody is there. */
function keepAsking(redis: Redis): void {
  let asked = false;
  const timer = setInterval(() => {
    if (asked || redis.status !== 'ready') return;
    asked = true;
    // ioredis breaks a connection whose answer is overdue.
    redis
      .ping()
      .catch(() => {})
      .finally(() => (asked = false));
  }, BEAT_MS).unref();
  redis.once('end', () => clearInterval(timer));
}

/** Resolves when the connection is usable; rejects when Redis does not answer in time. */
export async function awaitRedis(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.off('ready', onReady);
      reject(new Error(`Redis did not answer within ${timeoutMs} ms`));
    }, timeoutMs);
    const onReady = () => {
      clearTimeout(timer);
      resolve();
    };
    redis.once('ready', onReady);
  });
}
