import { chunkPage, type ChunkedPage } from '@quire/book/chunking';
import type { Page } from '@quire/shared/contracts';
import { InvalidInput } from '@quire/shared/errors';

/** The class of an error is lost between threads, so a fault of the page is returned. */
export type ChunkingResult = { page: ChunkedPage } | { fault: string };

export default (page: Page): ChunkingResult => {
  try {
    return { page: chunkPage(page) };
  } catch (error) {
    if (error instanceof InvalidInput) return { fault: error.message };
    throw error;
  }
};
