import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from '../logging/index.js';
import { redisKeys } from '../redis/redis-keys.js';
import { timeBudgets, within } from '../time/index.js';
import { jobCatalogue, type JobPayload, type JobResult, type QueueName } from './job-catalogue.js';
import { RunningJobs, type JobHandler } from './running-jobs.js';

export interface JobWorkerOptions {
  connection: Redis;
  concurrency: number;
  logger: Logger;
  /** How long running jobs may go on after `close()` before they are handed back to the queue. */
  graceMs?: number;
  /** Instead of the catalogue's, for tests that cannot wait so long. */
  lockMs?: number;
  /** How often an idle worker fetches a job without being woken. */
  idleFetchSeconds?: number;
}

export interface JobWorker {
  start(): void;
  close(): Promise<void>;
}

/** The worker that was woken for a job may be frozen before it takes it. */
const IDLE_FETCH_SECONDS = 1;
/** A check may fail with the worker that runs it: a stalled job is found within its lock's time and two checks. */
const CHECKS_PER_LOCK = 5;
/** A process that is frozen for three quarters of a lock's time keeps the lock; BullMQ's default is 2. */
const RENEWALS_PER_LOCK = 4;
/** Pause of BullMQ's fetch loop after a connection error; its default of 15 s would outlast most outages. */
const LOOP_RETRY_MS = 1000;

/** The longest time until another worker with a free slot has the job of a crashed one. */
export function longestTakeoverMs(name: QueueName): number {
  const { lockMs } = jobCatalogue[name];
  return lockMs + (2 * lockMs) / CHECKS_PER_LOCK + IDLE_FETCH_SECONDS * 1000;
}

/**
 * The consumer's side of a queue. Payloads are parsed again on dequeue: a job with an invalid one fails and is kept for
 * inspection. The class of an error decides whether the job is tried again.
 */
export function openWorker<Name extends QueueName>(
  name: Name,
  handle: JobHandler<Name>,
  options: JobWorkerOptions,
): JobWorker {
  const { connection, concurrency, logger, graceMs = timeBudgets.stop.jobGraceMs } = options;
  const lockMs = options.lockMs ?? jobCatalogue[name].lockMs;
  const log = logger.child({ stage: 'queue', queue: name });
  const running = new RunningJobs(name, handle, connection, log, lockMs);
  const worker = new Worker<JobPayload<Name>, JobResult<Name>, string>(
    name,
    (job, token = '') => running.run(job, token),
    {
      connection,
      concurrency,
      autorun: false,
      prefix: redisKeys.queuePrefix(name),
      lockDuration: lockMs,
      lockRenewTime: lockMs / RENEWALS_PER_LOCK,
      stalledInterval: lockMs / CHECKS_PER_LOCK,
      // BullMQ counts every expired lock; `suspects.ts` decides which jobs are given up.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: LOOP_RETRY_MS,
      drainDelay: options.idleFetchSeconds ?? IDLE_FETCH_SECONDS,
    },
  );
  worker.on('error', (error) => log.debug({ error: error.message }, 'Worker connection failed'));
  worker.on('stalled', (jobId) => log.warn({ job_id: jobId }, 'Job stalled: its lock expired'));
  worker.on('lockRenewalFailed', (jobIds) => {
    for (const jobId of jobIds) running.onLockExpired(jobId);
  });
  return {
    start() {
      // Rejects only when the loop itself is broken: unhandled, that ends the process, which is then restarted.
      void worker.run();
    },
    async close() {
      const graceTimer = setTimeout(() => running.stop(), graceMs);
      // BullMQ's close() waits for a Redis that is down.
      await within(graceMs + timeBudgets.stop.handBackMs, worker.close());
      clearTimeout(graceTimer);
    },
  };
}
