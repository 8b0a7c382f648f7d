import { chunkPage, type ChunkedPage } from '@quire/book/chunking';
import type { Page } from '@quire/shared/contracts';
import { InvalidInput } from '@quire/shared/errors';

/** An error's class does not survive the way between threads, so a page's own fault is an ordinary answer. */
export type ChunkingAnswer = { page: ChunkedPage } | { fault: string };

export default (page: Page): ChunkingAnswer => {
  try {
    return { page: chunkPage(page) };
  } catch (error) {
    if (error instanceof InvalidInput) return { fault: error.message };
    throw error;
  }
};
