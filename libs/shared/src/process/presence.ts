import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';

const SIGN_OF_LIFE_MS = 3000;
const CONSIDERED_GONE_MS = 10_000;

export const workerKinds = ['agent-worker', 'retrieval-worker'] as const;
export type WorkerKind = (typeof workerKinds)[number];

/** Lets others see that a worker process is alive; answers a function that says goodbye. */
export function announcePresence(redis: Redis, kind: WorkerKind): () => Promise<void> {
  const key = redisKeys.presence(kind);
  const member = `${hostname()}:${process.pid}`;
  const beat = async () => {
    const now = Date.now();
    await redis
      .pipeline()
      .zadd(key, now, member)
      .zremrangebyscore(key, 0, now - CONSIDERED_GONE_MS)
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

export async function countWorkers(redis: Redis, kind: WorkerKind): Promise<number> {
  return redis.zcount(redisKeys.presence(kind), Date.now() - CONSIDERED_GONE_MS, '+inf');
}

/** Whether a worker of this kind on this host is alive; what a container's health check asks. */
export async function isPresentHere(redis: Redis, kind: WorkerKind): Promise<boolean> {
  const alive = await redis.zrangebyscore(redisKeys.presence(kind), Date.now() - CONSIDERED_GONE_MS, '+inf');
  return alive.some((member) => member.startsWith(`${hostname()}:`));
}
