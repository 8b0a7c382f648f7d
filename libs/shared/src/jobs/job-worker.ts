import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError, UnrecoverableError, WaitingError, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { classifyError } from '../errors/index.js';
import type { Logger } from '../logging/index.js';
import { linkSignals } from '../process/linked-signal.js';
import { redisKeys } from '../redis/redis-keys.js';
import { timeBudgets } from '../time/index.js';
import { describeFailure } from './failure-reason.js';
import { LostLocks } from './lost-locks.js';
import { LostWorkers } from './lost-workers.js';
import { jobCatalogue, type JobPayload, type JobResult, type QueueName } from './job-catalogue.js';

export interface JobContext {
  jobId: string;
  /** 0 for a job without one. */
  priority: number;
  /** No further try follows if this one fails. */
  lastTry: boolean;
  /** Fires when the process stops or the job's time is over. */
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
  /** How often an idle worker looks for a job that it was not woken for. */
  idleLookSeconds?: number;
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

/** A job under way in this process. */
interface Execution<Result> {
  result: Promise<Result>;
  timeLimit: AbortSignal;
  /** Of the lock that the job was last taken with. */
  token: string;
  /** How often the job had been taken then. */
  takes: number;
  hasLostLock: boolean;
}

const DEFAULT_GRACE_MS = timeBudgets.stop.jobGraceMs;
/** A worker that was woken for a job may be frozen before it takes it. */
const IDLE_LOOK_SECONDS = 1;
/** One check in two may fall out, as that of a worker that is dead: a job is found within its lock and two checks. */
const CHECKS_PER_LOCK = 5;

/** A process that stands still for three quarters of a lock's time still keeps it; BullMQ's own are 2. */
const RENEWALS_PER_LOCK = 4;

/** The longest it takes until a job of a worker that has died is with another one that has a place for it. */
export function longestTakeoverMs(name: QueueName): number {
  const { lockMs } = jobCatalogue[name];
  return lockMs + (2 * lockMs) / CHECKS_PER_LOCK + IDLE_LOOK_SECONDS * 1000;
}

/** A job that has cost so many workers their life, the last of them alone, is not tried again. */
const MOST_WORKERS_LOST = 3;
/** One that has cost all but one of them has a process's only place for suspects, so that it takes no other along. */
const SUSPECT_AFTER = MOST_WORKERS_LOST - 1;
const SUSPECT_WAIT_MS = 500;
/** Of the loop after an error of the connection; BullMQ's own 15 s would outlast most outages. */
const LOOP_RETRY_MS = 1000;
/** Beyond the grace, for handing jobs back; a Redis that is away must not hold up the end of a process. */
const CLOSE_LIMIT_MS = timeBudgets.stop.handBackMs;

/**
 * The consumer's side of a queue. Payloads are parsed again on dequeue: an invalid one fails for good and is
 * kept for inspection. The class of an error decides whether the job is tried again.
 */
export function openWorker<Name extends QueueName>(
  name: Name,
  handle: JobHandler<Name>,
  options: JobWorkerOptions,
): JobWorker {
  const { connection, concurrency, logger, graceMs = DEFAULT_GRACE_MS } = options;
  const definition = jobCatalogue[name];
  const lockDuration = options.lockMs ?? definition.lockMs;
  const stopping = new AbortController();
  const log = logger.child({ stage: 'queue', queue: name });
  const losses = new LostWorkers(connection);

  const executions = new Map<string, Execution<JobResult<Name>>>();
  let suspect: string | undefined;

  const process = async (job: Job, token = ''): Promise<JobResult<Name>> => {
    const jobId = job.id ?? '';
    const underWay = executions.get(jobId);
    if (underWay) {
      // Its lock ran out, while Redis was away say, but it did not stop: what it makes is good under the new lock.
      noteLostLock(jobId, underWay);
      if (suspect === jobId) losses.noteAlone(worker.toKey(jobId), countsOf(job)).catch(() => {});
      Object.assign(underWay, { token, takes: job.attemptsStarted, hasLostLock: false });
      return settle(job, token, underWay);
    }
    const jobKey = worker.toKey(jobId);
    const { workers: lost, diedAlone } = await losses.of(jobKey, countsOf(job));
    // A suspect that a worker had fetched, but not begun, has not cost it its life.
    if (lost >= MOST_WORKERS_LOST && diedAlone)
      throw new UnrecoverableError(`The job has cost ${lost} workers their life`);
    if (lost < SUSPECT_AFTER) return begin(job, token);
    if (suspect !== undefined) {
      // Back to the queue: one that waited here would be lost, and blamed, with the process.
      await job.moveToDelayed(Date.now() + SUSPECT_WAIT_MS, token);
      throw new DelayedError();
    }
    suspect = jobId;
    log.warn({ job_id: jobId, lost }, 'Job has lost its workers before: it is run alone');
    try {
      await losses.noteAlone(jobKey, countsOf(job));
      return await begin(job, token);
    } finally {
      suspect = undefined;
    }
  };

  const countsOf = (job: Job) => ({ takes: job.attemptsStarted, stalls: job.stalledCounter });

  const begin = async (job: Job, token: string): Promise<JobResult<Name>> => {
    const payload = definition.payload.safeParse(job.data);
    if (!payload.success) throw new UnrecoverableError(`INVALID_PAYLOAD: ${payload.error.message}`);
    const jobId = job.id ?? '';
    const timeLimit = AbortSignal.timeout(definition.timeLimitMs);
    const { signal, release } = linkSignals([stopping.signal, timeLimit]);
    const lastTry = job.attemptsMade + 1 >= definition.attempts;
    const context: JobContext = { jobId, priority: job.priority, lastTry, signal };
    const work = async () => handle(payload.data as JobPayload<Name>, context);
    const result = work().finally(() => {
      release();
      executions.delete(jobId);
    });
    const execution = { result, timeLimit, token, takes: job.attemptsStarted, hasLostLock: false };
    executions.set(jobId, execution);
    return settle(job, token, execution);
  };

  /** Tells the queue how an execution has ended. */
  const settle = async (
    job: Job,
    token: string,
    execution: Execution<JobResult<Name>>,
  ): Promise<JobResult<Name>> => {
    try {
      return await execution.result;
    } catch (error) {
      // Whoever holds the lock now says what becomes of the job.
      if (execution.token !== token) throw error;
      if (stopping.signal.aborted && !(error instanceof FinalFailure)) {
        await handBack(job, token);
        throw new WaitingError();
      }
      const cause = error instanceof FinalFailure ? error.cause : error;
      // What a try has done in its time is not done again by the next one.
      const retryable = error === cause && (execution.timeLimit.aborted || classifyError(cause).retryable);
      const reason = describeFailure(cause);
      log[retryable ? 'warn' : 'error']({ job_id: job.id, error: cause, retryable }, 'Job failed');
      throw retryable ? new Error(reason, { cause }) : new UnrecoverableError(reason);
    }
  };

  /** Another worker takes the job at once instead of waiting for the lock to run out. */
  const handBack = async (job: Job, token: string): Promise<void> => {
    await job.moveToWait(token);
    // BullMQ 6.7 wakes nobody for a job with a priority that comes back (moveJobFromActiveToWait).
    if (job.priority > 0) await connection.zadd(worker.toKey('marker'), 0, '0');
  };

  const noteLostLock = (jobId: string, execution: Execution<JobResult<Name>>): void => {
    if (execution.hasLostLock) return;
    execution.hasLostLock = true;
    losses.excuse(worker.toKey(jobId)).catch(() => {});
  };

  const regainLock = async (jobId: string): Promise<void> => {
    const execution = executions.get(jobId);
    if (!execution) return;
    const { token, takes } = execution;
    const isHeld = await locks.regain({ jobId, token, takes });
    // If the job was taken anew meanwhile that has been noted.
    if (!isHeld && execution.token === token) noteLostLock(jobId, execution);
  };

  const worker = new Worker<JobPayload<Name>, JobResult<Name>, string>(name, process, {
    connection,
    concurrency,
    autorun: false,
    prefix: redisKeys.queuePrefix(name),
    lockDuration,
    lockRenewTime: lockDuration / RENEWALS_PER_LOCK,
    stalledInterval: lockDuration / CHECKS_PER_LOCK,
    // BullMQ counts locks that ran out, whoever is to blame; `process` counts lost workers.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    runRetryDelay: LOOP_RETRY_MS,
    drainDelay: options.idleLookSeconds ?? IDLE_LOOK_SECONDS,
  });
  const locks = new LostLocks(connection, (key) => worker.toKey(key), lockDuration);
  worker.on('error', (error) => log.debug({ error: error.message }, 'Worker connection trouble'));
  worker.on('stalled', (jobId) =>
    log.warn({ job_id: jobId }, 'Job stalled: its worker shows no sign of life'),
  );
  worker.on('lockRenewalFailed', (jobIds) => {
    // What cannot be asked for now is asked for when the next renewal fails.
    for (const jobId of jobIds) regainLock(jobId).catch(() => {});
  });

  return {
    start() {
      // Rejects only when the loop itself is broken: unhandled, that ends the process, which is then restarted.
      void worker.run();
    },
    async close() {
      const graceTimer = setTimeout(() => stopping.abort(), graceMs);
      // BullMQ waits for the end of a connection that may just be about to come back.
      await Promise.race([worker.close(), sleep(graceMs + CLOSE_LIMIT_MS, undefined, { ref: false })]);
      clearTimeout(graceTimer);
    },
  };
}
