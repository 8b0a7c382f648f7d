import type { Redis } from 'ioredis';
import type { QueueName } from '../job-catalogue.js';
import { queueKey } from './queue-keys.js';

/**
 * Wakes an idle worker, which blocks on the marker. BullMQ 6.7 itself sets none for a job with a priority that is handed
 * back (`moveJobFromActiveToWait`).
 */
export async function wakeWorker(redis: Redis, queue: QueueName): Promise<void> {
  await redis.zadd(queueKey(queue, 'marker'), 0, '0');
}
