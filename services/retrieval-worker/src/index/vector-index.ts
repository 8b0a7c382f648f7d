import type { Chunk, SearchFilters } from '@quire/shared/contracts';

/** The page of a chunk. A page is identified by its path, since its URL may change. */
export interface PageKey {
  book: string;
  path: string;
}

export interface StoredChunk {
  chunk: Chunk;
  page: PageKey;
  /** The hash of the page's whole source; the same for all chunks of a completely stored page. */
  pageHash: string;
  /** The hash of the text that was embedded; chunks that share it share their vector. */
  embeddedHash: string;
}

export interface IndexedChunk extends StoredChunk {
  vector: number[];
}

export interface IndexQuery {
  text: string;
  /** Absent if the question could not be embedded: then the search is by words only. */
  vector?: number[] | undefined;
  /** Candidates of each kind, by vector and by words. */
  limit: number;
  filters?: SearchFilters | undefined;
  /** Content hashes of texts to exclude. */
  exceptTexts?: readonly string[] | undefined;
}

/** A chunk that a search found. */
export interface Candidate {
  id: string;
  contentHash: string;
  /** Parsed when needed: most candidates are never returned. */
  chunk(): Chunk;
  /** The chunk's vector rounded to bytes, to compare it with other chunks. */
  direction(): Int8Array;
  /** The cosine with the question, within 0–1; 0 for a question without vector. */
  similarity: number;
}

export interface LexicalCandidate extends Candidate {
  /** The BM25 score: comparable within one question only. */
  bm25: number;
}

/** Each list best first; a chunk may be in both. */
export interface Candidates {
  dense: Candidate[];
  sparse: LexicalCandidate[];
}

/** The chunks of one collection. Every method rejects with `DependencyUnavailable` while it cannot be reached. */
export interface VectorIndex {
  readonly collection: string;
  /** All questions in one round trip; rejects with `IndexGone` when the collection has been replaced and removed. */
  search(queries: readonly IndexQuery[]): Promise<Candidates[]>;
  /** The chunks at these positions of a page, in any order. */
  chunksAt(pageUrl: string, positions: readonly number[]): Promise<Chunk[]>;

  /** The number of a page's stored chunks, by the hash of their source. */
  pageHashes(page: PageKey): Promise<ReadonlyMap<string, number>>;
  /** Vectors of texts that are already embedded, by `embeddedHash`. */
  knownVectors(embeddedHashes: readonly string[]): Promise<ReadonlyMap<string, number[]>>;
  /** Adds chunks, or replaces those with the same `chunk_id`. */
  upsert(chunks: readonly IndexedChunk[]): Promise<void>;
  /** Removes the chunks of one page except those named. */
  removePage(page: PageKey, exceptChunkIds: readonly string[]): Promise<void>;
  /** Removes a book's pages that are not kept, and returns how many. */
  removeOtherPages(book: string, keptPaths: ReadonlySet<string>): Promise<{ pages: number; chunks: number }>;
  /** The chunks of all books but one, in batches. */
  scroll(cursor: string | undefined, exceptBook: string | undefined): Promise<StoredBatch>;
}

export interface StoredBatch {
  chunks: StoredChunk[];
  /** Where the next batch begins; absent at the end. */
  cursor: string | undefined;
}
