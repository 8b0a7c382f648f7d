import { UnreadablePage, type DuplicatePages } from '@quire/book/sources';
import type { Page } from '@quire/shared/contracts';
import type { IngestionTally } from './ingestion-tally.js';
import type { PageRead } from './read-in-order.js';

/** The page, if it is readable, part of the book and not there already; the tally gets what happened to it otherwise. */
export function acceptPage(
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
