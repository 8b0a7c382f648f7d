import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';
import { jobCatalogue, type JobPayload, type JobResult, type QueueName } from './job-catalogue.js';

export type StoredJob<Name extends QueueName> =
  | { state: 'missing' | 'pending' }
  | { state: 'completed'; result: JobResult<Name> }
  | { state: 'failed'; reason: string };

/** The producer's side of a queue; payloads are checked before they are enqueued. */
export interface JobQueue<Name extends QueueName> {
  /** A job id that is already known is not added a second time. Of jobs with a priority the lowest go first. */
  add(jobId: string, payload: JobPayload<Name>, priority?: number): Promise<void>;
  /** What Redis still knows of a job. */
  find(jobId: string): Promise<StoredJob<Name>>;
  /** The same of many, in one round trip and without their outcomes; one for each id, in their order. */
  statesOf(jobIds: readonly string[]): Promise<StoredJob<Name>['state'][]>;
  /** For whoever has seen a job's end and leaves nothing behind; false while a worker is at it. */
  remove(jobId: string): Promise<boolean>;
  /** Replaces what a job carries. */
  amend(jobId: string, payload: JobPayload<Name>): Promise<void>;
  /** For each id how many jobs are worked on before it, itself included; nothing for those that do not wait. */
  positionsOf(jobIds: readonly string[]): Promise<(number | undefined)[]>;
  waitingCount(): Promise<number>;
  counts(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** Nobody reads BullMQ's events, and they hold results: the newest 10,000, unless told. */
const KEPT_EVENTS = 0;

export function openQueue<Name extends QueueName>(name: Name, connection: Redis): JobQueue<Name> {
  const definition = jobCatalogue[name];
  const queue = new Queue<JobPayload<Name>, JobResult<Name>, string>(name, {
    connection,
    prefix: redisKeys.queuePrefix(name),
    // BullMQ asks for the version once: a queue whose answer was lost would take no job until a restart.
    skipVersionCheck: true,
    streams: { events: { maxLen: KEPT_EVENTS } },
    defaultJobOptions: {
      attempts: definition.attempts,
      backoff: definition.backoff,
      removeOnComplete: definition.keepCompleted,
      removeOnFail: definition.keepFailed,
    },
  });
  // The connection's owner logs its errors; without a listener an emitted error would end the process.
  queue.on('error', () => {});
  const statesOf: JobQueue<Name>['statesOf'] = async (jobIds) => {
    const pipeline = connection.pipeline();
    for (const jobId of jobIds) {
      pipeline.exists(queue.toKey(jobId));
      pipeline.zscore(queue.toKey('completed'), jobId);
      pipeline.zscore(queue.toKey('failed'), jobId);
    }
    const replies = (await pipeline.exec()) ?? [];
    return jobIds.map((_, i) => {
      const [exists, completed, failed] = replies.slice(3 * i, 3 * i + 3).map(replyOf);
      if (exists !== 1) return 'missing';
      if (completed !== null) return 'completed';
      return failed === null ? 'pending' : 'failed';
    });
  };
  return {
    async add(jobId, payload, priority) {
      const data = definition.payload.parse(payload) as JobPayload<Name>;
      // BullMQ notes it once, when a queue is opened; a Redis that was wiped since has forgotten it.
      connection.hset(queue.toKey('meta'), 'opts.maxLenEvents', KEPT_EVENTS).catch(() => {});
      await queue.add(name as never, data as never, { jobId, ...(priority !== undefined && { priority }) });
    },
    async find(jobId) {
      const [state = 'missing'] = await statesOf([jobId]);
      if (state !== 'completed' && state !== 'failed') return { state };
      // Read after the state: a job read before it may lack the outcome that the state tells of.
      const job = await queue.getJob(jobId);
      if (!job) return { state: 'missing' };
      if (state === 'failed') return { state, reason: job.failedReason ?? '' };
      return { state, result: definition.result.parse(job.returnvalue) as JobResult<Name> };
    },
    statesOf,
    async remove(jobId) {
      return (await queue.remove(jobId)) === 1;
    },
    async amend(jobId, payload) {
      const job = await queue.getJob(jobId);
      await job?.updateData(definition.payload.parse(payload) as never);
    },
    async positionsOf(jobIds) {
      const pipeline = connection.pipeline().llen(queue.toKey('wait'));
      for (const jobId of jobIds) {
        pipeline.zrank(queue.toKey('prioritized'), jobId);
        pipeline.lpos(queue.toKey('wait'), jobId);
      }
      const [waiting, ...replies] = ((await pipeline.exec()) ?? []).map(replyOf) as (number | null)[];
      return jobIds.map((_, i) => {
        const [rank, place] = replies.slice(2 * i, 2 * i + 2);
        if (typeof rank === 'number') return (waiting ?? 0) + rank + 1;
        // Jobs are taken from the end of this list, before all that have a priority.
        return typeof place === 'number' ? (waiting ?? 0) - place : undefined;
      });
    },
    waitingCount: () => queue.getJobCountByTypes('waiting', 'prioritized'),
    async counts() {
      const counted = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
      const { waiting = 0, prioritized = 0, ...others } = counted;
      return { waiting: waiting + prioritized, ...others };
    },
    close: () => queue.close(),
  };
}

function replyOf([error, reply]: [error: Error | null, reply: unknown]): unknown {
  if (error) throw error;
  return reply;
}
