import { redisKeys } from '../../redis/redis-keys.js';
import type { QueueName } from '../job-catalogue.js';

/** The parts of BullMQ's Redis layout that the product relies on; `conformance.integration.test.ts` checks each. */
export type QueuePart =
  | 'wait'
  | 'prioritized'
  | 'active'
  | 'stalled'
  | 'stalled-check'
  | 'delayed'
  | 'completed'
  | 'failed'
  | 'marker'
  | 'meta';

export const queueKey = (queue: QueueName, part: QueuePart) =>
  `${redisKeys.queuePrefix(queue)}:${queue}:${part}`;

/** The hash with all that BullMQ keeps of a job. Fields of other names stay with the job and go with it. */
export const jobKey = (queue: QueueName, jobId: string) =>
  `${redisKeys.queuePrefix(queue)}:${queue}:${jobId}`;

/** Holds the token of the worker that executes the job, and expires unless renewed. */
export const lockKey = (queue: QueueName, jobId: string) => `${jobKey(queue, jobId)}:lock`;

export const jobFields = {
  /** How often a worker has taken the job. */
  takes: 'ats',
  /** How often its handler has ended. */
  tries: 'atm',
  /** How often its lock has expired. */
  stalls: 'stc',
} as const;
