import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IngestResult, IngestTask } from '@quire/shared/contracts';
import type { JobQueue } from '@quire/shared/jobs';
import { CommandFailure } from '../command-failure.js';
import { withoutCode } from './failure-text.js';

export const POLL_MS = 100;

export type TaskNamed<Name extends IngestTask['task']> = Extract<IngestTask, { task: Name }>;
export type ResultOf<Name extends IngestTask['task']> = Extract<IngestResult, { task: Name }>;

/** A task on its way: its job id is new each time, since a finished job of the same id would not run again. */
export interface QueuedTask<Name extends IngestTask['task']> {
  jobId: string;
  task: TaskNamed<Name>;
}

export type TaskOutcome<Name extends IngestTask['task']> =
  | { state: 'done'; result: ResultOf<Name> }
  | { state: 'failed'; reason: string };

/** The tasks of one ingestion on the `ingest` queue. */
export class IngestTasks {
  constructor(
    private readonly queue: JobQueue<'ingest'>,
    /** Called between two looks at the queue; ends the waiting by rejecting. */
    readonly pulse: () => Promise<void>,
  ) {}

  async add<Name extends IngestTask['task']>(task: TaskNamed<Name>): Promise<QueuedTask<Name>> {
    const jobId = randomUUID();
    await this.queue.add(jobId, task);
    return { jobId, task };
  }

  /**
   * Undefined while the task is under way. Unlike events, a job's state can be asked for again after Redis was away;
   * a job that Redis has lost is added again.
   */
  async outcomeOf<Name extends IngestTask['task']>({
    jobId,
    task,
  }: QueuedTask<Name>): Promise<TaskOutcome<Name> | undefined> {
    const job = await this.queue.find(jobId);
    switch (job.state) {
      // Pages carry their text: in Redis it would be kept for as many pages as a book has.
      case 'completed':
        await this.queue.remove(jobId);
        return { state: 'done', result: job.result as ResultOf<Name> };
      case 'failed':
        await this.queue.remove(jobId);
        return { state: 'failed', reason: withoutCode(job.reason) };
      case 'missing':
        await this.queue.add(jobId, task);
        return undefined;
      case 'pending':
        return undefined;
    }
  }

  /** Adds a task that the whole ingestion depends on, and waits for its end. */
  async run<Name extends IngestTask['task']>(
    task: TaskNamed<Name>,
    signal: AbortSignal,
  ): Promise<ResultOf<Name>> {
    const queued = await this.add(task);
    for (;;) {
      const outcome = await this.outcomeOf<Name>(queued);
      if (outcome?.state === 'done') return outcome.result;
      if (outcome?.state === 'failed') throw new CommandFailure(outcome.reason);
      await this.pulse();
      await sleep(POLL_MS, undefined, { signal });
    }
  }
}
