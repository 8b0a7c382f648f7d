import type { BookSource } from '@quire/book/sources';
import { carryOver } from './carry-over.js';
import { coordinate, type Coordination } from './coordinate.js';
import { ingestPages } from './ingest-pages.js';
import type { ResultOf } from './ingest-tasks.js';
import type { IngestionOptions } from './ingestion-event.js';
import { IngestionTally } from './ingestion-tally.js';

export interface IngestionReport {
  index: string;
  collection: string;
  embedder: string;
  /** The collection that was searched until now, if it was another one. */
  replaced: string | undefined;
  /** Undefined when no page was ingested: then nothing is removed either. */
  removed: ResultOf<'close'> | undefined;
  source: BookSource;
  tally: IngestionTally;
  elapsedMs: number;
}

type Outcome = Pick<IngestionReport, 'collection' | 'embedder' | 'replaced' | 'removed'>;

/**
 * Brings the pages of a book into an index, and removes those that the book no longer has.
 *
 * ```ts
 * const source = await openSource('docs', { baseUrl: 'https://example.org/docs', signal, note: console.warn });
 * try {
 *   const report = await ingestBook(source, { redis, index: 'quire', signal, onEvent: (event) => feed.send(event) });
 *   if (!succeeded(report)) console.warn(report.tally.failed);
 * } finally {
 *   await source.close();
 * }
 * ```
 *
 * After a crash or an abort, the same call finishes the book: chunks that are in the index are not embedded again.
 * Rejects with the signal's reason, with `IngestionFailure`, or with `DependencyUnavailable` when no worker starts.
 */
export async function ingestBook(source: BookSource, options: IngestionOptions): Promise<IngestionReport> {
  const startedAt = Date.now();
  const tally = new IngestionTally(source.pages.length, source.leftOut);
  const outcome = await coordinate(
    options,
    () => tally.progress,
    (coordination) => runSteps(source, tally, coordination, () => options.onEvent({ type: 'replacing' })),
  );
  return { ...outcome, index: options.index, source, tally, elapsedMs: Date.now() - startedAt };
}

export const succeeded = ({ tally, removed }: IngestionReport) =>
  tally.failed.length === 0 && removed !== undefined;

async function runSteps(
  source: BookSource,
  tally: IngestionTally,
  coordination: Coordination,
  onReplacing: () => void,
): Promise<Outcome> {
  const { ingestionId, tasks, signal } = coordination;
  const { baseUrl: book, whole } = source;
  const open = { task: 'open' as const, ingestion_id: ingestionId };
  const { collection, embedder, replaces } = await tasks.run(open, signal);
  const carry = async (exceptBook?: string) => {
    if (replaces === undefined) return;
    tally.carrying = true;
    const onCarried = (chunks: number) => void (tally.carried += chunks);
    await carryOver(coordination, { from: replaces, collection, exceptBook, onCarried });
    tally.carrying = false;
  };

  if (replaces !== undefined) onReplacing();
  // A source that is only a part of its book must find the rest in the new collection.
  if (!whole) await carry();
  await ingestPages(source.pages, tally, { book, collection }, coordination);
  if (tally.ingested.length === 0) return { collection, embedder, replaced: undefined, removed: undefined };
  // The book's own earlier text is needed only where a page failed: workers skip what they have a newer version of.
  if (whole) await carry(tally.failed.length === 0 ? book : undefined);
  const close = { task: 'close' as const, ingestion_id: ingestionId, collection, replaces, book };
  const removed = await tasks.run({ ...close, ...(whole ? { kept_paths: tally.keptPaths } : {}) }, signal);
  return { collection, embedder, replaced: replaces, removed };
}
