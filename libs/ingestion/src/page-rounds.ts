import { DuplicatePages, UnreadablePage, type FoundPage } from '@quire/book/sources';
import type { Page } from '@quire/shared/contracts';
import type { IngestionTally } from './ingestion-tally.js';
import { readInOrder, type PageRead } from './read-in-order.js';

/** A duplicate may fail like its original: after this many rounds the remaining pages are no longer compared. */
const COMPARED_ROUNDS = 2;

/**
 * Reads all pages except duplicates; the tally counts those that are left out or unreadable. That a page is a draft, a
 * stub or broken shows only after it has been parsed: its duplicates are then read in another round.
 */
export async function inRounds(
  pages: readonly FoundPage[],
  tally: IngestionTally,
  take: (read: (signal: AbortSignal) => AsyncGenerator<Page>) => Promise<void>,
): Promise<void> {
  const duplicates = new DuplicatePages();
  let round = pages;
  for (let count = 1; round.length > 0; count += 1) {
    const [found, compared] = [round, count > COMPARED_ROUNDS ? undefined : duplicates];
    await take(async function* read(signal) {
      for await (const each of readInOrder(found, signal)) {
        const page = acceptPage(each, compared, tally);
        if (page) yield page;
      }
    });
    const orphans = tally.removeOrphans();
    for (const { of } of orphans) duplicates.forget(of);
    const paths = new Set(orphans.map(({ path }) => path));
    round = pages.filter(({ path }) => paths.has(path));
  }
}

function acceptPage(
  read: PageRead,
  duplicates: DuplicatePages | undefined,
  tally: IngestionTally,
): Page | undefined {
  const { path } = read;
  if ('error' in read) {
    if (!(read.error instanceof UnreadablePage)) throw read.error;
    const { leftOut, message } = read.error;
    if (leftOut) tally.leaveOut({ path, reason: leftOut });
    else tally.fail(path, message);
    return undefined;
  }
  const duplicate = duplicates?.check(read.page);
  if (!duplicate) return read.page;
  tally.leaveOut({ path, reason: duplicate.kind, of: duplicate.of });
  return undefined;
}
