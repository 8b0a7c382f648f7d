import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';

/**
 * Tells whoever executes a run to stop. Store the wish first (`requestCancel`): nobody may be listening, and pub/sub
 * forgets.
 */
export async function announceCancel(redis: Redis, runId: string): Promise<void> {
  await redis.publish(redisKeys.cancelChannel, runId);
}
