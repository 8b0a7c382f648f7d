import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';

/**
 * Tells the worker that executes a run to stop. Store the request first (`requestCancel`): pub/sub keeps no message for
 * a worker that is not subscribed.
 */
export async function announceCancel(redis: Redis, runId: string): Promise<void> {
  await redis.publish(redisKeys.cancelChannel, runId);
}
