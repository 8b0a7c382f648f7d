import type { Redis } from 'ioredis';

export interface Keeping {
  /** How many keys are kept. */
  most: number;
  /** Older keys have expired by themselves and leave the list. */
  maxAgeMs: number;
  /** The key that a listed name stands for; by default the name itself. */
  keyOf?: (name: string) => string;
}

const AT_ONCE = 1000;

/**
 * Removes the oldest keys above the number that is kept, because Redis is configured to evict none. A sorted set lists
 * them by the time of their creation. Returns how many were removed; a great surplus takes several calls.
 */
export async function forgetOldest(redis: Redis, list: string, keeping: Keeping): Promise<number> {
  const { most, maxAgeMs, keyOf = (name) => name } = keeping;
  await redis.zremrangebyscore(list, 0, Date.now() - maxAgeMs);
  const surplus = (await redis.zcard(list)) - most;
  if (surplus <= 0) return 0;
  const popped = await redis.zpopmin(list, Math.min(surplus, AT_ONCE));
  // Names alternate with scores. One command each: in a cluster the keys are on different nodes.
  const names = popped.filter((_, i) => i % 2 === 0);
  const pipeline = redis.pipeline();
  for (const name of names) pipeline.unlink(keyOf(name));
  await pipeline.exec();
  return names.length;
}
