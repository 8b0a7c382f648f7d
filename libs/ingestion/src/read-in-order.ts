import type { FoundPage } from '@quire/book/sources';
import type { Page } from '@quire/shared/contracts';

/** Also the number of concurrent requests to a site. */
const READ_AHEAD = 8;

export type PageRead = { path: string; page: Page } | { path: string; error: unknown };

/** Reads a few pages ahead and yields them in their order, which decides which of two equal pages is the duplicate. */
export async function* readInOrder(
  pages: readonly FoundPage[],
  signal: AbortSignal,
): AsyncGenerator<PageRead> {
  const reads: Promise<PageRead>[] = [];
  for (const found of pages) {
    reads.push(readPage(found, signal));
    if (reads.length >= READ_AHEAD) yield* first(reads);
  }
  while (reads.length > 0) yield* first(reads);
}

async function* first(reads: Promise<PageRead>[]): AsyncGenerator<PageRead> {
  const next = await reads.shift();
  if (next) yield next;
}

/** Never rejects: nothing awaits a page while it is read ahead, so its rejection would be unhandled. */
async function readPage({ path, read }: FoundPage, signal: AbortSignal): Promise<PageRead> {
  try {
    return { path, page: await read(signal) };
  } catch (error) {
    return { path, error };
  }
}
