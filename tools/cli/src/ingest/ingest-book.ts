import { openQueue } from '@quire/shared/jobs';
import { untilAborted } from '@quire/shared/process';
import type { Redis } from 'ioredis';
import { CommandFailure, exitCodes } from '../command-failure.js';
import type { Terminal } from '../terminal.js';
import { awaitPages } from './await-pages.js';
import { BookQueue, type Book, type QueuedPage } from './book-queue.js';
import { findPages } from './find-pages.js';
import { summary, type IngestionState } from './ingestion-report.js';
import { noteOutages } from './outage-notes.js';
import { Progress } from './progress.js';
import { UnreadablePage } from './read-page.js';
import { WorkerWatch, type WorkerPatience } from './worker-watch.js';

export interface Ingestion {
  redis: Redis;
  terminal: Terminal;
  /** Ends the waiting, not the work. */
  signal: AbortSignal;
  patience?: WorkerPatience;
}

/** Puts every page of a book into the queue, waits for the workers and reports; answers the exit code. */
export async function ingestBook(
  book: Book,
  { redis, terminal, signal, patience }: Ingestion,
): Promise<number> {
  const startedAt = Date.now();
  const paths = await findPages(book.folder);
  if (paths.length === 0) throw new CommandFailure(`There are no .md or .mdx pages below ${book.folder}.`);
  const jobs = openQueue('ingest', redis);
  const queue = new BookQueue(jobs, book);
  const progress = new Progress(terminal);
  const note = (text: string) => progress.note(text);
  const watch = new WorkerWatch(redis, note, patience);
  const stopNotes = noteOutages(redis, note);
  const state: IngestionState = { total: paths.length, done: 0, chunks: 0, failed: [] };
  const onProgress = async () => {
    progress.show(state);
    await watch.check();
  };
  const work = async () => {
    const queued = await enqueueAll(paths, queue, state, signal);
    await awaitPages(queued, state, { queue, signal, onProgress });
    await jobs.close();
  };

  terminal.write(`Ingesting ${paths.length} pages from ${book.folder}\n`);
  try {
    // A command that waits for an absent Redis would not notice the signal.
    await untilAborted(signal, work());
  } finally {
    stopNotes();
    progress.clear();
  }
  terminal.write(summary(state, Date.now() - startedAt));
  return state.failed.length === 0 ? exitCodes.ok : exitCodes.failed;
}

async function enqueueAll(
  paths: readonly string[],
  queue: BookQueue,
  state: IngestionState,
  signal: AbortSignal,
): Promise<QueuedPage[]> {
  const queued: QueuedPage[] = [];
  for (const path of paths) {
    signal.throwIfAborted();
    try {
      queued.push(await queue.add(path));
    } catch (error) {
      if (!(error instanceof UnreadablePage)) throw error;
      state.failed.push({ path, reason: error.message });
    }
  }
  return queued;
}
