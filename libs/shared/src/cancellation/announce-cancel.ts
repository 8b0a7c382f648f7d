import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';

/**
 * Tells the worker that executes a run to stop. Store the cancel first (`requestCancel`): no worker may be subscribed at
 * present, and pub/sub keeps no messages.
 */
export async function announceCancel(redis: Redis, runId: string): Promise<void> {
  await redis.publish(redisKeys.cancelChannel, runId);
}
