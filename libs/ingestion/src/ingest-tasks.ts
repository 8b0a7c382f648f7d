import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IngestResult, IngestTask } from '@quire/shared/contracts';
import type { JobQueue } from '@quire/shared/jobs';
import { IngestionFailure } from './ingestion-failure.js';

export const POLL_MS = 100;

export type TaskNamed<Name extends IngestTask['task']> = Extract<IngestTask, { task: Name }>;
export type ResultOf<Name extends IngestTask['task']> = Extract<IngestResult, { task: Name }>;

/** A task and its job, whose id is new each time: a finished job of the same id would not run again. */
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
    /** Called between two polls of the queue; ends the waiting by rejecting. */
    readonly onPoll: () => Promise<void>,
  ) {}

  async add<Name extends IngestTask['task']>(task: TaskNamed<Name>): Promise<QueuedTask<Name>> {
    const jobId = randomUUID();
    await this.queue.add(jobId, task);
    return { jobId, task };
  }

  /**
   * Undefined while the task is queued or active. A state, unlike an event, can be read after Redis was away; a job
   * that Redis has lost is added again.
   */
  async outcomeOf<Name extends IngestTask['task']>({
    jobId,
    task,
  }: QueuedTask<Name>): Promise<TaskOutcome<Name> | undefined> {
    const job = await this.queue.find(jobId);
    if (job.state === 'missing') await this.queue.add(jobId, task);
    // A job carries its page's text: Redis would hold the text of a whole book.
    if (job.state === 'completed' || job.state === 'failed') await this.queue.remove(jobId);
    if (job.state === 'completed') return { state: 'done', result: job.result as ResultOf<Name> };
    if (job.state === 'failed') return { state: 'failed', reason: withoutCode(job.reason) };
    return undefined;
  }

  /** Adds a task that the whole ingestion depends on, and waits for its result. */
  async run<Name extends IngestTask['task']>(
    task: TaskNamed<Name>,
    signal: AbortSignal,
  ): Promise<ResultOf<Name>> {
    const queued = await this.add(task);
    for (;;) {
      const outcome = await this.outcomeOf<Name>(queued);
      if (outcome?.state === 'done') return outcome.result;
      if (outcome?.state === 'failed') throw new IngestionFailure(outcome.reason);
      await this.onPoll();
      await sleep(POLL_MS, undefined, { signal });
    }
  }
}

/** `INVALID_REQUEST: The front matter …` → `The front matter …` */
const withoutCode = (reason: string) => reason.replace(/^[A-Z_]+: /, '');
