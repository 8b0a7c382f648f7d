import type { Redis } from 'ioredis';
import type { QueueName } from '../job-catalogue.js';
import { jobKey, queueKey } from './queue-keys.js';

export type JobState = 'missing' | 'pending' | 'completed' | 'failed';

/** The states of many jobs in one round trip; one for each id, in their order. */
export async function statesOf(
  redis: Redis,
  queue: QueueName,
  jobIds: readonly string[],
): Promise<JobState[]> {
  const pipeline = redis.pipeline();
  for (const jobId of jobIds) {
    pipeline.exists(jobKey(queue, jobId));
    pipeline.zscore(queueKey(queue, 'completed'), jobId);
    pipeline.zscore(queueKey(queue, 'failed'), jobId);
  }
  const replies = (await pipeline.exec()) ?? [];
  return jobIds.map((_, i) => {
    const [exists, completed, failed] = replies.slice(3 * i, 3 * i + 3).map(replyOf);
    if (exists !== 1) return 'missing';
    if (completed !== null) return 'completed';
    return failed === null ? 'pending' : 'failed';
  });
}

/** For each id how many jobs are processed before it, itself included; undefined for jobs that do not wait. */
export async function positionsOf(
  redis: Redis,
  queue: QueueName,
  jobIds: readonly string[],
): Promise<(number | undefined)[]> {
  const pipeline = redis.pipeline().llen(queueKey(queue, 'wait'));
  for (const jobId of jobIds) {
    pipeline.zrank(queueKey(queue, 'prioritized'), jobId);
    pipeline.lpos(queueKey(queue, 'wait'), jobId);
  }
  const [waiting, ...replies] = ((await pipeline.exec()) ?? []).map(replyOf) as (number | null)[];
  return jobIds.map((_, i) => {
    const [rank, index] = replies.slice(2 * i, 2 * i + 2);
    if (typeof rank === 'number') return (waiting ?? 0) + rank + 1;
    // Jobs are taken from the end of this list, before all that have a priority.
    return typeof index === 'number' ? (waiting ?? 0) - index : undefined;
  });
}

function replyOf([error, reply]: [error: Error | null, reply: unknown]): unknown {
  if (error) throw error;
  return reply;
}
