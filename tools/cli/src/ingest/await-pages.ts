import { setTimeout as sleep } from 'node:timers/promises';
import type { BookQueue, QueuedPage } from './book-queue.js';
import type { IngestionState } from './ingestion-report.js';

const POLL_MS = 200;
/** The queue is worked off in order, so that the oldest pages are the ones to look at. */
const LOOK_AT_ONCE = 32;

export interface Waiting {
  queue: BookQueue;
  signal: AbortSignal;
  onProgress: () => Promise<void>;
}

/**
 * Follows the pages to their ends by asking for each job: unlike events, a job's state can be asked for again after
 * Redis was away. A page that Redis has lost is added again.
 */
export async function awaitPages(
  pages: readonly QueuedPage[],
  state: IngestionState,
  { queue, signal, onProgress }: Waiting,
): Promise<void> {
  let pending = [...pages];
  while (pending.length > 0) {
    await onProgress();
    const looked = pending.slice(0, LOOK_AT_ONCE);
    const settled = await Promise.all(looked.map((page) => settle(page, state, queue)));
    pending = pending.filter((_, i) => settled[i] !== true);
    if (settled.includes(false)) await sleep(POLL_MS, undefined, { signal });
  }
}

async function settle(page: QueuedPage, state: IngestionState, queue: BookQueue): Promise<boolean> {
  const job = await queue.find(page);
  switch (job.state) {
    case 'completed':
      state.done += 1;
      state.chunks += job.result.chunks;
      return true;
    case 'failed':
      state.failed.push({ path: page.path, reason: job.reason });
      return true;
    case 'missing':
      await queue.addAgain(page);
      return false;
    case 'pending':
      return false;
  }
}
