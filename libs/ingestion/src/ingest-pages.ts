import type { FoundPage } from '@quire/book/sources';
import { withLinkedSignal } from '@quire/shared/process';
import type { Coordination } from './coordinate.js';
import type { IngestionTally } from './ingestion-tally.js';
import { inRounds } from './page-rounds.js';
import { PageWindow } from './page-window.js';

/** Reads the pages in order and queues them; the tally counts the results. */
export async function ingestPages(
  pages: readonly FoundPage[],
  tally: IngestionTally,
  destination: { book: string; collection: string },
  { ingestionId, tasks, lease, signal }: Coordination,
): Promise<void> {
  await inRounds(pages, tally, async (read) => {
    const failed = new AbortController();
    await withLinkedSignal([signal, failed.signal], async (until) => {
      const window = new PageWindow({
        tasks,
        signal: until,
        onIngested: (result) => tally.add(result),
        onFailed: (path, reason) => tally.fail(path, reason),
        onSuperseded: () => lease.renew(),
      });
      const addAll = async () => {
        for await (const page of read(until)) {
          await window.add({ task: 'page', ingestion_id: ingestionId, ...destination, page });
        }
        window.complete();
      };
      // If one of the two fails, the other is aborted.
      const both = [addAll(), window.finish()].map((work) =>
        work.catch((error: unknown) => {
          failed.abort(error);
          throw error;
        }),
      );
      await Promise.all(both);
    });
  });
}
