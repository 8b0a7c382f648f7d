import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PageIngested } from '@quire/shared/contracts';
import { POLL_MS, type IngestTasks, type QueuedTask, type TaskNamed } from './ingest-tasks.js';
import { IngestionFailure } from './ingestion-failure.js';

/** Keeps several workers busy; memory and Redis hold no more pages than this, whatever the size of the book. */
const WINDOW_SIZE = 64;
/** After an outage a worker may read the lease just before it is renewed, but hardly this often for one page. */
const SUPERSEDED_LIMIT = 5;

export interface PageWindowOptions {
  tasks: IngestTasks;
  signal: AbortSignal;
  onIngested: (result: PageIngested) => void;
  onFailed: (path: string, reason: string) => void;
  /** Rejects if another ingestion holds the lease of the index. */
  onSuperseded: () => Promise<void>;
}

interface PageInFlight {
  queued: QueuedTask<'page'>;
  superseded: number;
}

/** The pages of an ingestion that are in the queue: a bounded number at a time. */
export class PageWindow {
  private readonly inFlight = new Set<PageInFlight>();
  private readonly finished = new EventEmitter();
  private isComplete = false;

  constructor(private readonly options: PageWindowOptions) {}

  /** Waits for room first. */
  async add(task: TaskNamed<'page'>): Promise<void> {
    const { tasks, signal } = this.options;
    while (this.inFlight.size >= WINDOW_SIZE) await once(this.finished, 'page', { signal });
    this.inFlight.add({ queued: await tasks.add(task), superseded: 0 });
  }

  /** No page follows. */
  complete(): void {
    this.isComplete = true;
  }

  /** Polls the pages until all are finished, also those that are added meanwhile. */
  async finish(): Promise<void> {
    const { tasks, signal } = this.options;
    while (!this.isComplete || this.inFlight.size > 0) {
      const before = this.inFlight.size;
      await Promise.all([...this.inFlight].map((page) => this.poll(page)));
      await tasks.onPoll();
      if (this.inFlight.size >= before) await sleep(POLL_MS, undefined, { signal });
    }
  }

  private async poll(page: PageInFlight): Promise<void> {
    const { tasks, onIngested, onFailed } = this.options;
    const outcome = await tasks.outcomeOf(page.queued);
    if (!outcome) return;
    if (outcome.state === 'done' && outcome.result.skipped === 'superseded') return this.addAgain(page);
    this.inFlight.delete(page);
    if (outcome.state === 'failed') onFailed(page.queued.task.page.path, outcome.reason);
    else onIngested(outcome.result);
    this.finished.emit('page');
  }

  private async addAgain(page: PageInFlight): Promise<void> {
    await this.options.onSuperseded();
    page.superseded += 1;
    if (page.superseded > SUPERSEDED_LIMIT) {
      throw new IngestionFailure(
        'The retrieval worker does not know of this ingestion: does it work on the same index (QDRANT_COLLECTION)?',
      );
    }
    page.queued = await this.options.tasks.add(page.queued.task);
  }
}
