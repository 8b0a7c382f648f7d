import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import type { IndexDescription } from '@quire/shared/qdrant';

export interface IndexedBook {
  baseUrl: string;
  pages: number;
  chunks: number;
  /** When its last complete ingestion ended. */
  lastRun: string | undefined;
}

const MAX_BOOKS = 1000;
const MAX_PAGES = 1_000_000;

/** The books of a collection, sorted by their base URLs. */
export async function indexedBooks(
  client: QdrantClient,
  { collection, indexedFields, lastRuns }: IndexDescription,
): Promise<IndexedBook[]> {
  // Qdrant counts by indexed fields alone.
  if (!indexedFields.includes('book')) return [];
  const counts = await facet(client, collection, { key: 'book', limit: MAX_BOOKS });
  const books = counts.map(async ({ value: baseUrl, count: chunks }) => {
    const filter = { must: [{ key: 'book', match: { value: baseUrl } }] };
    const pages = await facet(client, collection, { key: 'path', limit: MAX_PAGES, filter });
    return { baseUrl, pages: pages.length, chunks, lastRun: lastRuns[baseUrl] };
  });
  return (await Promise.all(books)).toSorted((a, b) => (a.baseUrl < b.baseUrl ? -1 : 1));
}

async function facet(
  client: QdrantClient,
  collection: string,
  request: { key: string; limit: number; filter?: Schemas['Filter'] },
): Promise<{ value: string; count: number }[]> {
  const { hits } = await client.facet(collection, { ...request, exact: true });
  // Qdrant still returns values without points, with a count of 0.
  return hits.filter(({ count }) => count > 0).map(({ value, count }) => ({ value: String(value), count }));
}
