import type { IngestResult, IngestTask } from '@quire/shared/contracts';
import { Conflict } from '@quire/shared/errors';
import type { IngestionParts } from './ingestion-parts.js';
import { isSuperseded } from './superseded.js';

type CloseTask = Extract<IngestTask, { task: 'close' }>;

/** Removes the pages that are gone; a new collection answers from here on. */
export async function closeIngestion(
  parts: IngestionParts,
  task: CloseTask,
): Promise<Extract<IngestResult, { task: 'close' }>> {
  const { shelf } = parts;
  const { collection, replaces, book, kept_paths: keptPaths } = task;
  const answering = (await shelf.current())?.collection;
  const isOurs = answering !== undefined && [collection, replaces].includes(answering);
  if (!isOurs || (await isSuperseded(parts, task))) {
    throw new Conflict('CANCELLED', 'Another ingestion has taken the place of this one: run it again');
  }
  const removed =
    book !== undefined && keptPaths
      ? await shelf.open(collection).removeOtherPages(book, new Set(keptPaths))
      : { pages: 0, chunks: 0 };
  if (book !== undefined) await shelf.recordRun(collection, book);
  if (answering !== collection) await shelf.activate(collection);
  return { task: 'close', removed_pages: removed.pages, removed_chunks: removed.chunks };
}
