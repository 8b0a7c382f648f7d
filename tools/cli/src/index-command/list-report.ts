import type { QdrantClient } from '@qdrant/js-client-rest';
import { statusOf } from '@quire/shared/qdrant';
import { grouped } from '../counted.js';
import { plainTable } from '../golden/plain-table.js';
import { listIndexes, type ListedCollection } from './index-list.js';
import { indexedBooks } from './indexed-books.js';
import { lastRunText, size } from './status-report.js';
import { storageSizes } from './storage-sizes.js';

export interface CollectionReport extends ListedCollection {
  /** Undefined for a collection that Quire did not make. */
  pages: number | undefined;
  bytes: number | undefined;
  /** The latest of its books. */
  lastRun: string | undefined;
}

export async function listReport(client: QdrantClient): Promise<CollectionReport[]> {
  const [listed, sizes] = await Promise.all([listIndexes(client), storageSizes(client)]);
  return Promise.all(listed.map((each) => reportOn(each, client, sizes)));
}

async function reportOn(
  listed: ListedCollection,
  client: QdrantClient,
  sizes: Awaited<ReturnType<typeof storageSizes>>,
): Promise<CollectionReport> {
  const { description, collection } = listed;
  const books = description && (await indexedBooks(client, description).catch(undefinedIfGone));
  return {
    ...listed,
    pages: books?.reduce((sum, book) => sum + book.pages, 0),
    bytes: sizes.get(collection),
    lastRun: Object.values(description?.lastRuns ?? {})
      .toSorted()
      .at(-1),
  };
}

/** A collection may be deleted meanwhile. */
function undefinedIfGone(error: unknown): undefined {
  if (statusOf(error) !== 404) throw error;
}

export function listText(listed: readonly CollectionReport[]): string {
  if (listed.length === 0) {
    return 'There is no index yet: bring a book into one with `quire ingest` (see `quire ingest --help`).\n';
  }
  const rows = listed.map(({ index, collection, description, pages, bytes, lastRun }) => [
    index ?? '–',
    collection,
    description?.embedder ?? "not this Quire's",
    pages === undefined ? '–' : grouped(pages),
    description ? grouped(description.points) : '–',
    bytes === undefined ? '–' : size(bytes),
    description ? lastRunText(lastRun) : '–',
  ]);
  return plainTable(['Index', 'Collection', 'Embedder', 'Pages', 'Chunks', 'Size', 'Last run (UTC)'], rows);
}

export const listJson = (listed: readonly CollectionReport[]) =>
  listed.map(({ index, collection, description, pages, bytes, lastRun }) => ({
    index: index ?? null,
    collection,
    embedder: description?.embedder ?? null,
    dimensions: description?.dimensions ?? null,
    pages: pages ?? null,
    chunks: description?.points ?? null,
    size_bytes: bytes ?? null,
    last_run: lastRun ?? null,
  }));
