import type { Redis } from 'ioredis';
import type { QueueName } from '../src/jobs/index.js';
import { redisKeys } from '../src/redis/index.js';

/** Takes a job from its worker, as BullMQ's check for stalled jobs does once the lock has run out. */
export async function stallJob(redis: Redis, queue: QueueName, jobId: string): Promise<void> {
  const keyOf = (name: string) => `${redisKeys.queuePrefix(queue)}:${queue}:${name}`;
  await redis
    .multi()
    .del(keyOf(`${jobId}:lock`))
    .lrem(keyOf('active'), 1, jobId)
    .hincrby(keyOf(jobId), 'stc', 1)
    .rpush(keyOf('wait'), jobId)
    .zadd(keyOf('marker'), 0, '0')
    .exec();
}

/** The same with all that are under way. */
export async function stallActiveJobs(redis: Redis, queue: QueueName): Promise<void> {
  const active = await redis.lrange(`${redisKeys.queuePrefix(queue)}:${queue}:active`, 0, -1);
  for (const jobId of active) await stallJob(redis, queue, jobId);
}
