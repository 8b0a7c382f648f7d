import type { DuplicatePages, FoundPage } from '@quire/book/sources';
import type { IndexLease } from '@quire/shared/ingestion';
import { withLinkedSignal } from '@quire/shared/process';
import { acceptPage } from './accept-page.js';
import { inRounds } from './in-rounds.js';
import type { IngestTasks } from './ingest-tasks.js';
import type { IngestionTally } from './ingestion-tally.js';
import { PageWindow } from './page-window.js';
import { readInOrder } from './read-in-order.js';

export interface PageDestination {
  ingestionId: string;
  book: string;
  collection: string;
  tasks: IngestTasks;
  lease: IndexLease;
  signal: AbortSignal;
}

/** Reads the pages one after another, has them ingested and notes in the tally what became of each. */
export async function ingestPages(
  pages: readonly FoundPage[],
  tally: IngestionTally,
  destination: PageDestination,
): Promise<void> {
  await inRounds(pages, tally, (round, duplicates) => ingestRound(round, duplicates, tally, destination));
}

async function ingestRound(
  pages: readonly FoundPage[],
  duplicates: DuplicatePages | undefined,
  tally: IngestionTally,
  { ingestionId, book, collection, tasks, lease, signal }: PageDestination,
): Promise<void> {
  const failed = new AbortController();
  await withLinkedSignal([signal, failed.signal], async (until) => {
    const window = new PageWindow({
      tasks,
      signal: until,
      onIngested: (result) => tally.take(result),
      onFailed: (path, reason) => tally.fail(path, reason),
      onSuperseded: () => lease.renew(),
    });
    const addAll = async () => {
      for await (const read of readInOrder(pages, until)) {
        const page = acceptPage(read, duplicates, tally);
        if (page) await window.add({ task: 'page', ingestion_id: ingestionId, book, collection, page });
      }
      window.complete();
    };
    // When one of the two fails, the other must not go on alone.
    const together = [addAll(), window.settleAll()].map((work) =>
      work.catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    );
    await Promise.all(together);
  });
}
