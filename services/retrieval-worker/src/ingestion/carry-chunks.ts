import type { IngestResult, IngestTask } from '@quire/shared/contracts';
import type { PageKey, StoredChunk, VectorIndex } from '../index/vector-index.js';
import type { IngestionParts } from './ingestion-parts.js';
import { embedChunks } from './embed-chunks.js';
import { targetOf } from './target.js';

type CarryTask = Extract<IngestTask, { task: 'carry' }>;

/** Embeds a batch of another collection's chunks again, from their stored texts. */
export async function carryChunks(
  parts: IngestionParts,
  { from, collection, except_book: exceptBook, cursor }: CarryTask,
  signal: AbortSignal,
): Promise<Extract<IngestResult, { task: 'carry' }>> {
  const target = await targetOf(parts, collection);
  const batch = await parts.collections.open(from).scroll(cursor, exceptBook);
  const chunks = await withoutNewerPages(batch.chunks, target.index);
  const fresh = await embedChunks(target, chunks, signal);
  await target.index.upsert(fresh.chunks);
  return {
    task: 'carry',
    carried: chunks.length,
    ...(batch.cursor !== undefined && { cursor: batch.cursor }),
  };
}

/** Excludes pages that have been ingested since: they must not get their former chunks back. */
async function withoutNewerPages(
  chunks: readonly StoredChunk[],
  target: Pick<VectorIndex, 'pageHashes'>,
): Promise<StoredChunk[]> {
  const pages = new Map(chunks.map(({ page, pageHash }) => [nameOf(page), { page, pageHash }]));
  const newer = new Set<string>();
  for (const [name, { page, pageHash }] of pages) {
    const hashes = await target.pageHashes(page);
    if ([...hashes.keys()].some((hash) => hash !== pageHash)) newer.add(name);
  }
  return chunks.filter(({ page }) => !newer.has(nameOf(page)));
}

const nameOf = ({ book, path }: PageKey): string => `${book} ${path}`;
