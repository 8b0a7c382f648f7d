import type { Redis } from 'ioredis';

/** Reports each outage of Redis once, and its end; returns a function that stops the watch. */
export function watchRedis(
  redis: Redis,
  report: (type: 'redis_lost' | 'redis_restored') => void,
): () => void {
  let lost = false;
  const onReconnecting = () => {
    if (!lost) report('redis_lost');
    lost = true;
  };
  const onReady = () => {
    if (lost) report('redis_restored');
    lost = false;
  };
  redis.on('reconnecting', onReconnecting);
  redis.on('ready', onReady);
  return () => {
    redis.off('reconnecting', onReconnecting);
    redis.off('ready', onReady);
  };
}
