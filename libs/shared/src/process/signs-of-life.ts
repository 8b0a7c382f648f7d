import type { Redis } from 'ioredis';

const SIGN_OF_LIFE_MS = 3000;
const CONSIDERED_GONE_MS = 10_000;

/**
 * Keeps a member in a sorted set, scored by its last sign of life; answers a function that says goodbye. What a member
 * says of itself may change from one sign to the next.
 */
export function showSignsOfLife(redis: Redis, key: string, describe: () => string): () => Promise<void> {
  let member = describe();
  const beat = async () => {
    const now = Date.now();
    const before = member;
    member = describe();
    const pipeline = redis.pipeline();
    if (before !== member) pipeline.zrem(key, before);
    await pipeline
      .zadd(key, now, member)
      .zremrangebyscore(key, 0, now - CONSIDERED_GONE_MS)
      .pexpire(key, CONSIDERED_GONE_MS)
      .exec();
  };
  const ignoreOutage = () => {};
  beat().catch(ignoreOutage);
  const timer = setInterval(() => void beat().catch(ignoreOutage), SIGN_OF_LIFE_MS);
  return async () => {
    clearInterval(timer);
    if (redis.status === 'ready') await redis.zrem(key, member).catch(ignoreOutage);
  };
}

/** Those that showed a sign of life in the last 10 s. */
export async function membersAlive(redis: Redis, key: string): Promise<string[]> {
  return redis.zrangebyscore(key, Date.now() - CONSIDERED_GONE_MS, '+inf');
}
