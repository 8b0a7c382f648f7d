import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { IndexLease, LeaseLost } from '@quire/shared/ingestion';
import { openQueue } from '@quire/shared/jobs';
import { untilAborted, withLinkedSignal } from '@quire/shared/process';
import { IngestTasks } from './ingest-tasks.js';
import type { IngestionOptions, IngestionProgress } from './ingestion-event.js';
import { IngestionFailure } from './ingestion-failure.js';
import { watchRedis } from './watch-redis.js';
import { WorkerWatch } from './worker-watch.js';

const LEASE_POLL_MS = 500;

/** What the steps of one ingestion share. */
export interface Coordination {
  ingestionId: string;
  tasks: IngestTasks;
  /** Fires when the caller aborts or the lease is lost. */
  signal: AbortSignal;
  lease: IndexLease;
}

/** Runs the steps of an ingestion under the lease of its index; meanwhile watches Redis and the workers. */
export async function coordinate<T>(
  options: IngestionOptions,
  progress: () => IngestionProgress,
  steps: (coordination: Coordination) => Promise<T>,
): Promise<T> {
  const { redis, onEvent } = options;
  const ingestionId = randomUUID();
  const watch = new WorkerWatch(redis, () => onEvent({ type: 'no_worker' }), options.patience);
  const tasks = new IngestTasks(openQueue('ingest', redis), async () => {
    onEvent(progress());
    await watch.check();
  });
  let lease: IndexLease | undefined;
  const lost = new AbortController();
  const stopWatching = watchRedis(redis, (type) => onEvent({ type }));
  try {
    return await withLinkedSignal([options.signal, lost.signal], async (signal) => {
      const leaseAndRun = async () => {
        const held = await waitForLease(ingestionId, options, signal);
        lease = held;
        // `finally` has run already and did not release it.
        if (signal.aborted) await held.release();
        held.lost.addEventListener('abort', () => lost.abort(held.lost.reason));
        return steps({ ingestionId, tasks, signal, lease: held });
      };
      // A command that waits for Redis ignores the signal.
      return await untilAborted(signal, leaseAndRun());
    });
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    throw new IngestionFailure(
      'Another ingestion has taken the index over, because this one had not renewed its lease. ' +
        'This one has stopped and removed nothing.',
      { cause: error },
    );
  } finally {
    stopWatching();
    await lease?.release();
  }
}

async function waitForLease(
  ingestionId: string,
  { redis, index, lease: timings, onEvent }: IngestionOptions,
  signal: AbortSignal,
): Promise<IndexLease> {
  for (let reported = false; ; reported = true) {
    signal.throwIfAborted();
    const lease = await IndexLease.acquire(redis, index, ingestionId, timings);
    if (lease) return lease;
    if (!reported) onEvent({ type: 'lease_taken' });
    await sleep(LEASE_POLL_MS, undefined, { signal });
  }
}
