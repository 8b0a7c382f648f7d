import type { IngestResult, IngestTask } from '@quire/shared/contracts';
import { Conflict } from '@quire/shared/errors';
import type { IngestionParts } from './ingestion-parts.js';
import { isSuperseded } from './superseded.js';

type CloseTask = Extract<IngestTask, { task: 'close' }>;

/** Removes pages that no longer exist; a new collection becomes current. */
export async function closeIngestion(
  parts: IngestionParts,
  task: CloseTask,
): Promise<Extract<IngestResult, { task: 'close' }>> {
  const { collections } = parts;
  const { collection, replaces, book, kept_paths: keptPaths } = task;
  const current = (await collections.current())?.collection;
  const isOurs = current !== undefined && [collection, replaces].includes(current);
  if (!isOurs || (await isSuperseded(parts, task))) {
    throw new Conflict('CANCELLED', 'Another ingestion has replaced this one: run it again');
  }
  const removed =
    book !== undefined && keptPaths
      ? await collections.open(collection).removeOtherPages(book, new Set(keptPaths))
      : { pages: 0, chunks: 0 };
  if (book !== undefined) await collections.recordRun(collection, book);
  if (current !== collection) await collections.activate(collection);
  return { task: 'close', removed_pages: removed.pages, removed_chunks: removed.chunks };
}
