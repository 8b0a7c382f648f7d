import { DelayedError, UnrecoverableError, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from '../logging/index.js';
import { LuaScript } from '../redis/lua-script.js';
import { jobKey } from './bullmq/queue-keys.js';
import type { QueueName } from './job-catalogue.js';

/** A job that crashed this many workers, the last of them while it was executed there, is not tried again. */
const MOST_CRASHES = 3;
/** A job with this many crashes is a suspect: a process executes one at a time, so that a crash loses no other. */
const SUSPECT_AFTER = MOST_CRASHES - 1;
const RETRY_MS = 500;

/** Fields in the job's own hash, so that they go with the job. */
const EXCUSED_FIELD = 'quire:excused';
const EXECUTED_FIELD = 'quire:alone';

const excuseScript = new LuaScript<null>(new URL('excuse.lua', import.meta.url));

/**
 * Finds the job that crashes its workers among those that are lost with it. BullMQ counts expired locks, which every job
 * has after an outage of Redis; a worker that is alive to notice has not crashed, and excuses the job.
 */
export class Suspects {
  private executed: string | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly queue: QueueName,
    private readonly log: Logger,
  ) {}

  /** Executes the job, alone if it is a suspect; a suspect that has to wait goes back to the queue. */
  async execute<Result>(job: Job, token: string, work: () => Promise<Result>): Promise<Result> {
    const { id = '' } = job;
    const crashes = await this.crashesOf(job);
    if (crashes.count >= MOST_CRASHES && crashes.wasExecuted)
      throw new UnrecoverableError(`The job has crashed ${crashes.count} workers`);
    if (crashes.count < SUSPECT_AFTER) return work();
    if (this.executed !== undefined) {
      // A suspect that waited in this process would be lost, and blamed, with it.
      await job.moveToDelayed(Date.now() + RETRY_MS, token);
      throw new DelayedError();
    }
    this.executed = id;
    this.log.warn(
      { job_id: id, lost: crashes.count },
      'Job was lost with its workers: no other suspect runs beside it',
    );
    try {
      await this.recordExecution(job);
      return await work();
    } finally {
      this.executed = undefined;
    }
  }

  /** For a job that is taken again while it is executed here. */
  async takenAgain(job: Job): Promise<void> {
    if (this.executed === job.id) await this.recordExecution(job);
  }

  /** For a lock that expired although the worker is alive. */
  async excuse(jobId: string): Promise<void> {
    await excuseScript.run(this.redis, [jobKey(this.queue, jobId)], [EXCUSED_FIELD]);
  }

  private async crashesOf(job: Job): Promise<{ count: number; wasExecuted: boolean }> {
    const { id = '', attemptsStarted: takes, stalledCounter: stalls } = job;
    if (stalls === 0) return { count: 0, wasExecuted: false };
    const [excused, executed] = await this.redis.hmget(jobKey(this.queue, id), EXCUSED_FIELD, EXECUTED_FIELD);
    // A worker that had only fetched the suspect was not crashed by it.
    return {
      count: stalls - Number(excused ?? 0),
      wasExecuted: executed === takeName(takes - 1, stalls - 1),
    };
  }

  private async recordExecution({
    id = '',
    attemptsStarted: takes,
    stalledCounter: stalls,
  }: Job): Promise<void> {
    await this.redis.hset(jobKey(this.queue, id), EXECUTED_FIELD, takeName(takes, stalls));
  }
}

const takeName = (takes: number, stalls: number) => `${takes}/${stalls}`;
