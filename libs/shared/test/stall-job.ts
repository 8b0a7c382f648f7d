import type { Redis } from 'ioredis';
import { jobFields, jobKey, lockKey, queueKey, type QueueName } from '../src/jobs/index.js';

/** Takes a job from its worker, as BullMQ's check for stalled jobs does once the lock has expired. */
export async function stallJob(redis: Redis, queue: QueueName, jobId: string): Promise<void> {
  await redis
    .multi()
    .del(lockKey(queue, jobId))
    .lrem(queueKey(queue, 'active'), 1, jobId)
    .hincrby(jobKey(queue, jobId), jobFields.stalls, 1)
    .rpush(queueKey(queue, 'wait'), jobId)
    .zadd(queueKey(queue, 'marker'), 0, '0')
    .exec();
}

/** The same with all active jobs of the queue. */
export async function stallActiveJobs(redis: Redis, queue: QueueName): Promise<void> {
  const active = await redis.lrange(queueKey(queue, 'active'), 0, -1);
  for (const jobId of active) await stallJob(redis, queue, jobId);
}
