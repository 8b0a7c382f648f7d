import { embeddedText } from '@quire/book/chunking';
import { chunkSchema } from '@quire/shared/contracts';
import { z } from 'zod';
import { storedDirection } from './direction.js';
import { pageUrlOf, urlPrefixes } from './url-prefixes.js';
import type { IndexedChunk, StoredChunk } from './vector-index.js';

export const DENSE = 'dense';
export const SPARSE = 'sparse';

/** Qdrant computes the sparse vector, for stored texts and for questions. */
export const bm25 = (text: string) => ({ text, model: 'qdrant/bm25' });

/** Payload fields that filters, facets and look-ups use. */
export const keywordFields = [
  'module',
  'chapter',
  'section',
  'url',
  'content_hash',
  'page_url',
  'url_prefixes',
  'book',
  'path',
  'page_hash',
  'embedded_hash',
] as const;

const storedSchema = z.object({
  ...chunkSchema.shape,
  book: z.string(),
  path: z.string(),
  page_hash: z.string(),
  embedded_hash: z.string(),
});

export function toPoint({ chunk, page, pageHash, embeddedHash, vector }: IndexedChunk) {
  const pageUrl = pageUrlOf(chunk.url);
  return {
    id: chunk.chunk_id,
    vector: { [DENSE]: vector, [SPARSE]: bm25(embeddedText(chunk)) },
    payload: {
      ...chunk,
      ...page,
      page_url: pageUrl,
      url_prefixes: urlPrefixes(pageUrl),
      page_hash: pageHash,
      embedded_hash: embeddedHash,
      direction: storedDirection(vector),
    },
  };
}

export function fromPayload(payload: unknown): StoredChunk {
  const {
    book,
    path,
    page_hash: pageHash,
    embedded_hash: embeddedHash,
    ...chunk
  } = storedSchema.parse(payload);
  return { chunk, page: { book, path }, pageHash, embeddedHash };
}
