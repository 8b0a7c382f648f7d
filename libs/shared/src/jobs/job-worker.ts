import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError, UnrecoverableError, WaitingError, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { classifyError } from '../errors/index.js';
import type { Logger } from '../logging/index.js';
import { linkSignals } from '../process/linked-signal.js';
import { redisKeys } from '../redis/redis-keys.js';
import { describeFailure } from './failure-reason.js';
import { jobCatalogue, type JobPayload, type JobResult, type QueueName } from './job-catalogue.js';

export interface JobContext {
  jobId: string;
  /** 0 for a job without one. */
  priority: number;
  /** No further try follows if this one fails. */
  lastTry: boolean;
  /** Fires when the process stops, the job is cancelled or its time is over. */
  signal: AbortSignal;
}

export type JobHandler<Name extends QueueName> = (
  payload: JobPayload<Name>,
  context: JobContext,
) => Promise<JobResult<Name>>;

export interface JobWorkerOptions {
  connection: Redis;
  concurrency: number;
  logger: Logger;
  /** How long running jobs may go on after `close()` before they are handed back to the queue. */
  graceMs?: number;
  /** Instead of the catalogue's, for tests that cannot wait so long. */
  lockMs?: number;
}

export interface JobWorker {
  start(): void;
  close(): Promise<void>;
}

/** A failure that has been dealt with for good: the queue records it and does not try again. */
export class FinalFailure extends Error {
  constructor(cause: unknown) {
    super('The job has failed for good', { cause });
  }
}

const DEFAULT_GRACE_MS = 8000;
/** One check in two may fall out, as that of a worker that is dead: a job is found within its lock and two checks. */
const CHECKS_PER_LOCK = 5;
/** A job that has cost so many workers their life is not tried again. */
const MOST_WORKERS_LOST = 3;
/** One that has cost all but one of them has a process's only place for suspects, so that it takes no other along. */
const SUSPECT_AFTER = MOST_WORKERS_LOST - 1;
const SUSPECT_WAIT_MS = 500;
/** Of the loop after an error of the connection; BullMQ's own 15 s would outlast most outages. */
const LOOP_RETRY_MS = 1000;
/** Beyond the grace, for handing jobs back; a Redis that is away must not hold up the end of a process. */
const CLOSE_LIMIT_MS = 1500;

/**
 * The consumer's side of a queue. Payloads are parsed again on dequeue: an invalid one fails for good and is
 * kept for inspection. The class of an error decides whether the job is tried again.
 */
export function openWorker<Name extends QueueName>(
  name: Name,
  handle: JobHandler<Name>,
  { connection, concurrency, logger, graceMs = DEFAULT_GRACE_MS, lockMs }: JobWorkerOptions,
): JobWorker {
  const definition = jobCatalogue[name];
  const lockDuration = lockMs ?? definition.lockMs;
  const stopping = new AbortController();
  const log = logger.child({ stage: 'queue', queue: name });

  let suspect: string | undefined;
  const process = async (job: Job, token?: string, cancelled?: AbortSignal): Promise<JobResult<Name>> => {
    if (job.stalledCounter < SUSPECT_AFTER) return run(job, token, cancelled);
    if (suspect !== undefined) {
      // Back to the queue: one that waited here would be lost, and blamed, with the process.
      await job.moveToDelayed(Date.now() + SUSPECT_WAIT_MS, token);
      throw new DelayedError();
    }
    suspect = job.id;
    log.warn(
      { job_id: job.id, stalled: job.stalledCounter },
      'Job has lost its workers before: it is run alone',
    );
    try {
      return await run(job, token, cancelled);
    } finally {
      suspect = undefined;
    }
  };

  const run = async (job: Job, token?: string, cancelled?: AbortSignal): Promise<JobResult<Name>> => {
    const payload = definition.payload.safeParse(job.data);
    if (!payload.success) throw new UnrecoverableError(`INVALID_PAYLOAD: ${payload.error.message}`);
    const timeLimit = AbortSignal.timeout(definition.timeLimitMs);
    const limits = [stopping.signal, timeLimit];
    const { signal, release } = linkSignals(cancelled ? [...limits, cancelled] : limits);
    try {
      return await handle(payload.data as JobPayload<Name>, {
        jobId: job.id ?? '',
        priority: job.priority,
        lastTry: job.attemptsMade + 1 >= definition.attempts,
        signal,
      });
    } catch (error) {
      if (stopping.signal.aborted && !(error instanceof FinalFailure)) {
        // Another worker takes the job at once instead of waiting for the lock to run out.
        await job.moveToWait(token);
        throw new WaitingError();
      }
      const cause = error instanceof FinalFailure ? error.cause : error;
      // What a try has done in its time is not done again by the next one.
      const retryable = error === cause && (timeLimit.aborted || classifyError(cause).retryable);
      const reason = describeFailure(cause);
      log[retryable ? 'warn' : 'error']({ job_id: job.id, error: cause, retryable }, 'Job failed');
      throw retryable ? new Error(reason, { cause }) : new UnrecoverableError(reason);
    } finally {
      release();
    }
  };

  const worker = new Worker<JobPayload<Name>, JobResult<Name>, string>(name, process, {
    connection,
    concurrency,
    autorun: false,
    prefix: redisKeys.queuePrefix(name),
    lockDuration,
    stalledInterval: lockDuration / CHECKS_PER_LOCK,
    maxStalledCount: MOST_WORKERS_LOST - 1,
    runRetryDelay: LOOP_RETRY_MS,
    drainDelay: 5,
  });
  worker.on('error', (error) => log.debug({ error: error.message }, 'Worker connection trouble'));
  worker.on('stalled', (jobId) =>
    log.warn({ job_id: jobId }, 'Job stalled: its worker shows no sign of life'),
  );

  return {
    start() {
      // Rejects only when the loop itself is broken: unhandled, that ends the process, which is then restarted.
      void worker.run();
    },
    async close() {
      const handBack = setTimeout(() => stopping.abort(), graceMs);
      // BullMQ waits for the end of a connection that may just be about to come back.
      await Promise.race([worker.close(), sleep(graceMs + CLOSE_LIMIT_MS, undefined, { ref: false })]);
      clearTimeout(handBack);
    },
  };
}
