import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';
import { KEPT_EVENTS, renewEventLimit } from './bullmq/event-limit.js';
import { positionsOf, statesOf, type JobState } from './bullmq/find-jobs.js';
import { jobCatalogue, type JobPayload, type JobResult, type QueueName } from './job-catalogue.js';

export type StoredJob<Name extends QueueName> =
  | { state: 'missing' | 'pending' }
  | { state: 'completed'; result: JobResult<Name> }
  | { state: 'failed'; reason: string };

/** The producer's side of a queue; payloads are checked before they are enqueued. */
export interface JobQueue<Name extends QueueName> {
  /** A job id that is already known is not added a second time. Of jobs with a priority the lowest go first. */
  add(jobId: string, payload: JobPayload<Name>, priority?: number): Promise<void>;
  /** A job's state and outcome, as long as Redis keeps them. */
  find(jobId: string): Promise<StoredJob<Name>>;
  /** The states of many jobs in one round trip; one for each id, in their order. */
  statesOf(jobIds: readonly string[]): Promise<JobState[]>;
  /** Removes a job and its outcome. Returns false while a worker executes it. */
  remove(jobId: string): Promise<boolean>;
  /** Replaces a job's payload. */
  amend(jobId: string, payload: JobPayload<Name>): Promise<void>;
  /** For each id how many jobs are processed before it, itself included; undefined for jobs that do not wait. */
  positionsOf(jobIds: readonly string[]): Promise<(number | undefined)[]>;
  counts(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

export function openQueue<Name extends QueueName>(name: Name, connection: Redis): JobQueue<Name> {
  const definition = jobCatalogue[name];
  const queue = new Queue<JobPayload<Name>, JobResult<Name>, string>(name, {
    connection,
    prefix: redisKeys.queuePrefix(name),
    // BullMQ asks Redis for its version once: a queue that got no reply would accept no job until a restart.
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
  return {
    async add(jobId, payload, priority) {
      const data = definition.payload.parse(payload) as JobPayload<Name>;
      renewEventLimit(connection, name).catch(() => {});
      await queue.add(name as never, data as never, { jobId, ...(priority !== undefined && { priority }) });
    },
    async find(jobId) {
      const [state = 'missing'] = await statesOf(connection, name, [jobId]);
      if (state !== 'completed' && state !== 'failed') return { state };
      // Read after the state: a job read before it may lack the outcome.
      const job = await queue.getJob(jobId);
      if (!job) return { state: 'missing' };
      if (state === 'failed') return { state, reason: job.failedReason ?? '' };
      return { state, result: definition.result.parse(job.returnvalue) as JobResult<Name> };
    },
    statesOf: (jobIds) => statesOf(connection, name, jobIds),
    positionsOf: (jobIds) => positionsOf(connection, name, jobIds),
    async remove(jobId) {
      return (await queue.remove(jobId)) === 1;
    },
    async amend(jobId, payload) {
      const job = await queue.getJob(jobId);
      await job?.updateData(definition.payload.parse(payload) as never);
    },
    async counts() {
      const counted = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
      const { waiting = 0, prioritized = 0, ...others } = counted;
      return { waiting: waiting + prioritized, ...others };
    },
    close: () => queue.close(),
  };
}
