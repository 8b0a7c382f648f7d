import type { Redis } from 'ioredis';

/** The whole content of a Redis as one text. */
export async function everythingIn(redis: Redis): Promise<string> {
  const keys = await redis.keys('*');
  return JSON.stringify(await Promise.all(keys.map(async (key) => [key, await valueOf(redis, key)])));
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'stream':
      return redis.xrange(key, '-', '+');
    case 'zset':
      return redis.zrange(key, '0', '-1');
    default:
      return redis.get(key);
  }
}
