import { chunkPage } from '@quire/book/chunking';
import type { BookSource } from '@quire/book/sources';
import type { Page } from '@quire/shared/contracts';
import { InvalidInput } from '@quire/shared/errors';
import { IngestionTally } from './ingestion-tally.js';
import { inRounds } from './page-rounds.js';

export interface PagePreview {
  path: string;
  url: string;
  title: string;
  chunks: number;
  characters: number;
}

export interface BookPreview {
  source: BookSource;
  tally: IngestionTally;
  pages: PagePreview[];
}

/** Reads and chunks the pages of a book as an ingestion does, without queue, workers and index. */
export async function previewBook(
  source: BookSource,
  signal: AbortSignal,
  onPage: (page: PagePreview) => void,
): Promise<BookPreview> {
  const tally = new IngestionTally(source.pages.length, source.leftOut);
  const pages: PagePreview[] = [];
  await inRounds(source.pages, tally, async (read) => {
    for await (const page of read(signal)) {
      const preview = previewPage(page, tally);
      if (!preview) continue;
      pages.push(preview);
      onPage(preview);
    }
  });
  return { source, tally, pages };
}

function previewPage(page: Page, tally: IngestionTally): PagePreview | undefined {
  const { path } = page;
  try {
    const { url, title, chunks, skipped } = chunkPage(page);
    tally.add({ task: 'page', path, chunks: chunks.length, embedded: 0, ...(skipped ? { skipped } : {}) });
    if (skipped) return undefined;
    const characters = chunks.reduce((sum, { text }) => sum + text.length, 0);
    return { path, url, title, chunks: chunks.length, characters };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    tally.fail(path, error.message);
    return undefined;
  }
}
