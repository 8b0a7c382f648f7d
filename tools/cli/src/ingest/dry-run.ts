import { chunkPage } from '@quire/book/chunking';
import type { BookSource } from '@quire/book/sources';
import type { Page } from '@quire/shared/contracts';
import { InvalidInput } from '@quire/shared/errors';
import { acceptPage } from './accept-page.js';
import { inRounds } from './in-rounds.js';
import { IngestionTally } from './ingestion-tally.js';
import { readInOrder } from './read-in-order.js';

export interface ChunkedLocally {
  path: string;
  url: string;
  title: string;
  chunks: number;
  characters: number;
}

export interface DryRun {
  source: BookSource;
  tally: IngestionTally;
  pages: ChunkedLocally[];
}

/** What an ingestion would bring into the index, found out without queue, workers and index. */
export async function dryRun(
  source: BookSource,
  signal: AbortSignal,
  onPage: (page: ChunkedLocally) => void,
): Promise<DryRun> {
  const tally = new IngestionTally(source.pages.length, source.leftOut);
  const pages: ChunkedLocally[] = [];
  await inRounds(source.pages, tally, async (round, duplicates) => {
    for await (const read of readInOrder(round, signal)) {
      const page = acceptPage(read, duplicates, tally);
      const chunked = page && chunkLocally(page, tally);
      if (!chunked) continue;
      pages.push(chunked);
      onPage(chunked);
    }
  });
  return { source, tally, pages };
}

function chunkLocally(page: Page, tally: IngestionTally): ChunkedLocally | undefined {
  const { path } = page;
  try {
    const { url, title, chunks, skipped } = chunkPage(page);
    tally.take({ task: 'page', path, chunks: chunks.length, embedded: 0, ...(skipped ? { skipped } : {}) });
    if (skipped) return undefined;
    const characters = chunks.reduce((sum, { text }) => sum + text.length, 0);
    return { path, url, title, chunks: chunks.length, characters };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    tally.fail(path, error.message);
    return undefined;
  }
}
