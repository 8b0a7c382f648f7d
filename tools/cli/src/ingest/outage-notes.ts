import type { Redis } from 'ioredis';

/** Says once per outage that Redis is away, and when it is back; answers a function that ends the watch. */
export function noteOutages(redis: Redis, note: (text: string) => void): () => void {
  let away = false;
  const onReconnecting = () => {
    if (!away) note('Redis is away; waiting for it.');
    away = true;
  };
  const onReady = () => {
    if (away) note('Redis is back.');
    away = false;
  };
  redis.on('reconnecting', onReconnecting);
  redis.on('ready', onReady);
  return () => {
    redis.off('reconnecting', onReconnecting);
    redis.off('ready', onReady);
  };
}
