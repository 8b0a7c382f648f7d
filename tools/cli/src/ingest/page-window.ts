import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PageIngested } from '@quire/shared/contracts';
import { CommandFailure } from '../command-failure.js';
import { POLL_MS, type IngestTasks, type QueuedTask, type TaskNamed } from './ingest-tasks.js';

/** Enough to keep several workers busy; memory and Redis hold no more pages, whatever the size of the book. */
export const WINDOW_SIZE = 64;
/** A worker may look at the lease just before it is renewed after an outage, but not again and again. */
const SUPERSEDED_LIMIT = 5;

export interface PageWindowOptions {
  tasks: IngestTasks;
  signal: AbortSignal;
  onIngested: (result: PageIngested) => void;
  onFailed: (path: string, reason: string) => void;
  /** Rejects if the ingestion has indeed been superseded. */
  onSuperseded: () => Promise<void>;
  size?: number;
}

interface PageUnderWay {
  queued: QueuedTask<'page'>;
  superseded: number;
}

/** The pages of an ingestion that are in the queue: a bounded number at a time. */
export class PageWindow {
  readonly #options: PageWindowOptions;
  readonly #size: number;
  readonly #underWay = new Set<PageUnderWay>();
  readonly #settled = new EventEmitter();
  #complete = false;

  constructor(options: PageWindowOptions) {
    this.#options = options;
    this.#size = options.size ?? WINDOW_SIZE;
  }

  /** Waits for room first. */
  async add(task: TaskNamed<'page'>): Promise<void> {
    const { tasks, signal } = this.#options;
    while (this.#underWay.size >= this.#size) await once(this.#settled, 'page', { signal });
    this.#underWay.add({ queued: await tasks.add(task), superseded: 0 });
  }

  /** No page follows. */
  complete(): void {
    this.#complete = true;
  }

  /** Follows the pages to their ends, also those that are added meanwhile. */
  async settleAll(): Promise<void> {
    const { tasks, signal } = this.#options;
    while (!this.#complete || this.#underWay.size > 0) {
      const before = this.#underWay.size;
      await Promise.all([...this.#underWay].map((page) => this.#settle(page)));
      await tasks.pulse();
      if (this.#underWay.size >= before) await sleep(POLL_MS, undefined, { signal });
    }
  }

  async #settle(page: PageUnderWay): Promise<void> {
    const { tasks, onIngested, onFailed } = this.#options;
    const outcome = await tasks.outcomeOf(page.queued);
    if (!outcome) return;
    if (outcome.state === 'done' && outcome.result.skipped === 'superseded') return this.#addAgain(page);
    this.#underWay.delete(page);
    if (outcome.state === 'failed') onFailed(page.queued.task.page.path, outcome.reason);
    else onIngested(outcome.result);
    this.#settled.emit('page');
  }

  async #addAgain(page: PageUnderWay): Promise<void> {
    await this.#options.onSuperseded();
    page.superseded += 1;
    if (page.superseded > SUPERSEDED_LIMIT) {
      throw new CommandFailure(
        'The retrieval worker does not know of this ingestion: does it work on the same index (QDRANT_COLLECTION)?',
      );
    }
    page.queued = await this.#options.tasks.add(page.queued.task);
  }
}
