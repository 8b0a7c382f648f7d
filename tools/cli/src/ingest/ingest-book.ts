import type { BookSource } from '@quire/book/sources';
import { carryOver } from './carry-over.js';
import { coordinate, type Coordination, type CoordinationOptions } from './coordination.js';
import { ingestPages } from './ingest-pages.js';
import type { IngestionSummary } from './ingestion-summary.js';
import { IngestionTally } from './ingestion-tally.js';
import { IngestionView } from './ingestion-view.js';

export type Ingestion = Omit<CoordinationOptions, 'show'>;

const REPLACES =
  'The index was made by another embedder: building a new one; questions are answered from the old one until it ' +
  'is finished.';

/** Brings the pages of a book into the index, and takes out those that the book no longer has. */
export async function ingestBook(source: BookSource, ingestion: Ingestion): Promise<IngestionSummary> {
  const startedAt = Date.now();
  const tally = new IngestionTally(source.pages.length, source.leftOut);
  const view = new IngestionView(tally, ingestion.progress);
  const outcome = await coordinate({ ...ingestion, show: () => view.show() }, (coordination) =>
    takeSteps(source, tally, coordination, (text) => ingestion.progress.note(text)),
  );
  return { ...outcome, index: ingestion.index, source, tally, elapsedMs: Date.now() - startedAt };
}

type Outcome = Pick<IngestionSummary, 'collection' | 'embedder' | 'replaced' | 'removed'>;

async function takeSteps(
  source: BookSource,
  tally: IngestionTally,
  coordination: Coordination,
  note: (text: string) => void,
): Promise<Outcome> {
  const { ingestionId, tasks, signal, lease } = coordination;
  const { baseUrl: book, whole } = source;
  const { collection, embedder, replaces } = await tasks.run(
    { task: 'open', ingestion_id: ingestionId },
    signal,
  );
  const carry = async (exceptBook?: string) => {
    if (replaces === undefined) return;
    tally.stage = 'carrying';
    const onCarried = (chunks: number) => void (tally.carried += chunks);
    await carryOver(coordination, { from: replaces, collection, exceptBook, onCarried });
    tally.stage = 'pages';
  };

  if (replaces !== undefined) note(REPLACES);
  // When only a part of the book is at hand, the rest has to be there before that part is brought up to date.
  if (!whole) await carry();
  await ingestPages(source.pages, tally, { ingestionId, book, collection, tasks, lease, signal });
  if (tally.ingested.length === 0) return { collection, embedder, replaced: undefined, removed: undefined };
  // Only where a page failed, the book's own earlier text is needed: workers leave out what they have a newer one of.
  if (whole) await carry(tally.failed.length === 0 ? book : undefined);
  const close = { task: 'close' as const, ingestion_id: ingestionId, collection, replaces, book };
  const removed = await tasks.run({ ...close, ...(whole ? { kept_paths: tally.keptPaths } : {}) }, signal);
  return { collection, embedder, replaced: replaces, removed };
}
