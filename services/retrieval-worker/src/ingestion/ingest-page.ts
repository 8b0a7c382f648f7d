import { CHUNKER_VERSION } from '@quire/book/chunking';
import type { IngestTask, Page, PageIngested } from '@quire/shared/contracts';
import type { IngestionParts } from './ingestion-parts.js';
import { isSuperseded } from './superseded.js';
import { withPageLock } from './page-lock.js';
import { embedChunks, sha256, storedChunk } from './embed-chunks.js';
import { targetOf } from './target.js';

type PageTask = Extract<IngestTask, { task: 'page' }>;

/** Replaces a page's chunks in the index. */
export async function ingestPage(
  parts: IngestionParts,
  task: PageTask,
  signal: AbortSignal,
): Promise<PageIngested> {
  const { page, book, collection } = task;
  const { chunks, skipped } = await parts.chunker.chunk(page, signal);
  const key = { book, path: page.path };
  const result = { task: 'page' as const, path: page.path, chunks: chunks.length, embedded: 0 };
  const target = await targetOf(parts, collection);
  return withPageLock(parts.redis, collection, key, signal, async () => {
    const superseded = { ...result, chunks: 0, skipped: 'superseded' as const };
    if (await isSuperseded(parts, task)) return superseded;
    const pageHash = hashOf(page);
    const stored = await target.index.pageHashes(key);
    const isUnchanged = stored.size === 1 && stored.get(pageHash) === chunks.length;
    if (isUnchanged) return result;
    // Before anything is written: a text that the provider refuses leaves the page unchanged.
    const fresh = await embedChunks(
      target,
      chunks.map((chunk) => storedChunk(chunk, key, pageHash)),
      signal,
    );
    if (await isSuperseded(parts, task)) return superseded;
    await target.index.upsert(fresh.chunks);
    // Last: searches find the page all the time, and a crash leaves only old chunks, which the retry removes.
    await target.index.removePage(
      key,
      chunks.map(({ chunk_id: id }) => id),
    );
    return { ...result, embedded: fresh.embedded, ...(skipped && { skipped }) };
  });
}

/** A hash of everything that determines the page's chunks. */
const hashOf = (page: Page): string => sha256(JSON.stringify([CHUNKER_VERSION, page]));
