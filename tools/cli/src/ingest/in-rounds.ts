import { DuplicatePages, type FoundPage } from '@quire/book/sources';
import type { IngestionTally } from './ingestion-tally.js';

/** A twin may fail like the page that stood for it. What is still left out then is no longer compared. */
const COMPARED_ROUNDS = 2;

/**
 * Takes all pages, without duplicates. Which page is a draft, a stub or broken shows only after it has been parsed: where
 * that one stood for others, they get another round.
 */
export async function inRounds(
  pages: readonly FoundPage[],
  tally: IngestionTally,
  take: (round: readonly FoundPage[], duplicates: DuplicatePages | undefined) => Promise<void>,
): Promise<void> {
  const duplicates = new DuplicatePages();
  let round = pages;
  for (let count = 1; round.length > 0; count += 1) {
    await take(round, count > COMPARED_ROUNDS ? undefined : duplicates);
    const orphans = tally.takeBackOrphans();
    for (const { of } of orphans) duplicates.forget(of);
    const paths = new Set(orphans.map(({ path }) => path));
    round = pages.filter(({ path }) => paths.has(path));
  }
}
