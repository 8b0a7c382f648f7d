import { randomUUID } from 'node:crypto';
import { LeaseLost, type IndexLease, type LeaseTimings } from '@quire/shared/ingestion';
import { openQueue } from '@quire/shared/jobs';
import { untilAborted, withLinkedSignal } from '@quire/shared/process';
import type { Redis } from 'ioredis';
import { CommandFailure } from '../command-failure.js';
import { awaitLease } from './await-lease.js';
import { IngestTasks } from './ingest-tasks.js';
import { noteOutages } from './outage-notes.js';
import type { Progress } from './progress.js';
import { WorkerWatch, type WorkerPatience } from './worker-watch.js';

const BUSY = 'Another ingestion into this index is under way; waiting for it to end (Ctrl-C stops waiting).';

export interface CoordinationOptions {
  redis: Redis;
  /** Leased for the time of the work. */
  index: string;
  progress: Progress;
  /** Draws how far the work is. */
  show: () => void;
  /** Ends the waiting, not the work. */
  signal: AbortSignal;
  patience?: WorkerPatience | undefined;
  lease?: LeaseTimings | undefined;
}

/** What a command needs to have the retrieval workers do one ingestion. */
export interface Coordination {
  ingestionId: string;
  tasks: IngestTasks;
  /** Fires when the user stops or the lease is lost. */
  signal: AbortSignal;
  lease: IndexLease;
}

/** Runs a piece of work over the `ingest` queue, and watches Redis, the workers and its lease meanwhile. */
export async function coordinate<T>(
  { redis, index, progress, show, signal, patience, lease: timings }: CoordinationOptions,
  work: (coordination: Coordination) => Promise<T>,
): Promise<T> {
  const note = (text: string) => progress.note(text);
  const ingestionId = randomUUID();
  const queue = openQueue('ingest', redis);
  const watch = new WorkerWatch(redis, note, patience);
  const tasks = new IngestTasks(queue, async () => {
    show();
    await watch.check();
  });
  let lease: IndexLease | undefined;
  const lost = new AbortController();
  const stopNotes = noteOutages(redis, note);
  try {
    return await withLinkedSignal([signal, lost.signal], async (until) => {
      const wait = { redis, signal: until, timings, onWait: () => note(BUSY) };
      const leaseAndWork = async () => {
        const held = await awaitLease(index, ingestionId, wait);
        lease = held;
        // Came too late for the clean-up below.
        if (until.aborted) await held.release();
        held.lost.addEventListener('abort', () => lost.abort(held.lost.reason));
        return work({ ingestionId, tasks, signal: until, lease: held });
      };
      // A command that waits for an absent Redis would not notice the signal.
      return await untilAborted(until, leaseAndWork());
    });
  } catch (error) {
    throw error instanceof LeaseLost ? takenOver() : error;
  } finally {
    stopNotes();
    progress.clear();
    await lease?.release();
  }
}

function takenOver(): CommandFailure {
  return new CommandFailure(
    'Another ingestion has taken over, since this one had shown no sign of life for a while. ' +
      'This one has stopped and removed nothing.',
  );
}
