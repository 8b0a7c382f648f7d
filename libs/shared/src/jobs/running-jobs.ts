import { UnrecoverableError, WaitingError, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { classifyError } from '../errors/index.js';
import type { Logger } from '../logging/index.js';
import { linkSignals } from '../process/linked-signal.js';
import { wakeWorker } from './bullmq/wake-worker.js';
import { ExpiredLocks, type HeldLock } from './expired-locks.js';
import { describeFailure } from './failure-reason.js';
import { jobCatalogue, type JobPayload, type JobResult, type QueueName } from './job-catalogue.js';
import { Suspects } from './suspects.js';

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

/** A failure that the handler has dealt with: the queue records it and does not try again. */
export class FinalFailure extends Error {
  constructor(cause: unknown) {
    super('The job has failed for good', { cause });
  }
}

interface RunningJob<Result> {
  result: Promise<Result>;
  timeLimit: AbortSignal;
  lock: HeldLock;
}

/** The jobs whose handlers run in this process. */
export class RunningJobs<Name extends QueueName> {
  private readonly jobs = new Map<string, RunningJob<JobResult<Name>>>();
  private readonly stopping = new AbortController();
  private readonly suspects: Suspects;
  private readonly expiredLocks: ExpiredLocks;

  constructor(
    private readonly queue: Name,
    private readonly handle: JobHandler<Name>,
    private readonly redis: Redis,
    private readonly log: Logger,
    lockMs: number,
  ) {
    this.suspects = new Suspects(redis, queue, log);
    this.expiredLocks = new ExpiredLocks(redis, queue, lockMs, this.suspects);
  }

  /** Resolves or rejects with what the queue is to record. */
  async run(job: Job, token: string): Promise<JobResult<Name>> {
    const { id = '', attemptsStarted: takes } = job;
    const running = this.jobs.get(id);
    if (!running) return this.suspects.execute(job, token, () => this.execute(job, token));
    // Its lock expired and BullMQ moved it to the waiting list, but the handler goes on: it ends under the new lock.
    this.expiredLocks.replace(id, running.lock, { token, takes });
    this.suspects.takenAgain(job).catch(() => {});
    return this.finish(job, token, running);
  }

  onLockExpired(jobId: string): void {
    const running = this.jobs.get(jobId);
    // A lock that cannot be set now is set when the next renewal fails.
    if (running) this.expiredLocks.regain(jobId, running.lock).catch(() => {});
  }

  /** Aborts the handlers; their jobs are handed back to the queue. */
  stop(): void {
    this.stopping.abort();
  }

  private async execute(job: Job, token: string): Promise<JobResult<Name>> {
    const { payload, attempts, timeLimitMs } = jobCatalogue[this.queue];
    const parsed = payload.safeParse(job.data);
    if (!parsed.success) throw new UnrecoverableError(`INVALID_PAYLOAD: ${parsed.error.message}`);
    const { id: jobId = '', priority, attemptsStarted: takes } = job;
    const timeLimit = AbortSignal.timeout(timeLimitMs);
    const { signal, release } = linkSignals([this.stopping.signal, timeLimit]);
    const lastTry = job.attemptsMade + 1 >= attempts;
    const work = async () =>
      this.handle(parsed.data as JobPayload<Name>, { jobId, priority, lastTry, signal });
    const result = work().finally(() => {
      release();
      this.jobs.delete(jobId);
    });
    const running = { result, timeLimit, lock: { token, takes, hasExpired: false } };
    this.jobs.set(jobId, running);
    return this.finish(job, token, running);
  }

  private async finish(
    job: Job,
    token: string,
    { result, timeLimit, lock }: RunningJob<JobResult<Name>>,
  ): Promise<JobResult<Name>> {
    try {
      return await result;
    } catch (error) {
      // The job was taken again: the later call reports its end.
      if (lock.token !== token) throw error;
      if (this.stopping.signal.aborted && !(error instanceof FinalFailure)) {
        // Another worker takes it at once, without waiting for the lock to expire.
        await job.moveToWait(token);
        if (job.priority > 0) await wakeWorker(this.redis, this.queue);
        throw new WaitingError();
      }
      const cause = error instanceof FinalFailure ? error.cause : error;
      // A try that reached its time limit is followed by another, which finds the work done so far.
      const retryable = error === cause && (timeLimit.aborted || classifyError(cause).retryable);
      const reason = describeFailure(cause);
      this.log[retryable ? 'warn' : 'error']({ job_id: job.id, error: cause, retryable }, 'Job failed');
      throw retryable ? new Error(reason, { cause }) : new UnrecoverableError(reason);
    }
  }
}
