import type { Redis } from 'ioredis';
import type { QueueName } from '../job-catalogue.js';
import { queueKey } from './queue-keys.js';

/** Nothing reads BullMQ's events, and they hold results; by default it keeps 10,000. */
export const KEPT_EVENTS = 0;

/** BullMQ stores the limit once, when a queue is opened; a Redis that was wiped since has forgotten it. */
export async function renewEventLimit(redis: Redis, queue: QueueName): Promise<void> {
  await redis.hset(queueKey(queue, 'meta'), 'opts.maxLenEvents', KEPT_EVENTS);
}
