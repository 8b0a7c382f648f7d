import type { Redis } from 'ioredis';

export interface Keeping {
  /** How many are kept. */
  most: number;
  /** What is older has expired by itself, and need not be listed any more. */
  maxAgeMs: number;
  /** The key that a listed name stands for; the name itself unless told. */
  keyOf?: (name: string) => string;
}

const AT_ONCE = 1000;

/**
 * Redis evicts nothing by itself: removes the oldest of the keys that a sorted set lists by the time they were made,
 * beyond the number that is kept. Answers how many; a great surplus takes several calls.
 */
export async function forgetOldest(redis: Redis, list: string, keeping: Keeping): Promise<number> {
  const { most, maxAgeMs, keyOf = (name) => name } = keeping;
  await redis.zremrangebyscore(list, 0, Date.now() - maxAgeMs);
  const surplus = (await redis.zcard(list)) - most;
  if (surplus <= 0) return 0;
  const popped = await redis.zpopmin(list, Math.min(surplus, AT_ONCE));
  // Names and scores by turns. One command each: in a cluster they live in different places.
  const names = popped.filter((_, i) => i % 2 === 0);
  const pipeline = redis.pipeline();
  for (const name of names) pipeline.unlink(keyOf(name));
  await pipeline.exec();
  return names.length;
}
