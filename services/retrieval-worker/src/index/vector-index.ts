import type { Chunk, SearchFilters } from '@quire/shared/contracts';

/** The page a chunk belongs to: a book's pages are known by their paths, whatever their addresses become. */
export interface PageKey {
  book: string;
  path: string;
}

export interface StoredChunk {
  chunk: Chunk;
  page: PageKey;
  /** Of the page's whole source: equal on every chunk of a page that is stored completely. */
  pageHash: string;
  /** Of the text that was embedded; chunks that share it share their vector. */
  embeddedHash: string;
}

export interface IndexedChunk extends StoredChunk {
  vector: number[];
}

export interface IndexQuery {
  text: string;
  /** Absent when the question could not be embedded: then only words are compared. */
  vector?: number[] | undefined;
  /** How many candidates each way of searching may find. */
  limit: number;
  filters?: SearchFilters | undefined;
  /** Content hashes of texts that are not wanted again. */
  exceptTexts?: readonly string[] | undefined;
}

/** A chunk that a search found. */
export interface Candidate {
  id: string;
  contentHash: string;
  /** Read only for what is given back: a search looks at far more candidates than it needs the texts of. */
  chunk(): Chunk;
  /** The chunk's vector rounded to bytes: enough to tell how alike two chunks are. */
  direction(): Int8Array;
  /** The cosine with the question, within 0–1; 0 for a question without vector. */
  similarity: number;
}

export interface LexicalCandidate extends Candidate {
  /** The BM25 score: comparable within one question only. */
  bm25: number;
}

/** Best first, each in its own order; a chunk may be in both. */
export interface Candidates {
  dense: Candidate[];
  sparse: LexicalCandidate[];
}

/** The chunks of one collection. Every call rejects with `DependencyUnavailable` while it cannot be reached. */
export interface VectorIndex {
  readonly collection: string;
  /** All questions in one round trip; rejects with `IndexGone` when the collection has been replaced and removed. */
  search(queries: readonly IndexQuery[]): Promise<Candidates[]>;
  /** The chunks at these positions of a page, in any order. */
  chunksAt(pageUrl: string, positions: readonly number[]): Promise<Chunk[]>;

  /** How many chunks of a page are stored, by the hash of the source that they come from. */
  pageHashes(page: PageKey): Promise<ReadonlyMap<string, number>>;
  /** Vectors of texts that are embedded already, by `embeddedHash`. */
  knownVectors(embeddedHashes: readonly string[]): Promise<ReadonlyMap<string, number[]>>;
  /** Adds chunks, or replaces those with the same `chunk_id`. */
  upsert(chunks: readonly IndexedChunk[]): Promise<void>;
  /** Removes the chunks of one page except those named. */
  removePage(page: PageKey, exceptChunkIds: readonly string[]): Promise<void>;
  /** Removes a book's pages that are not among the kept; answers how much that was. */
  removeOtherPages(book: string, keptPaths: ReadonlySet<string>): Promise<{ pages: number; chunks: number }>;
  /** Everything but one book's chunks, a batch at a time. */
  scroll(cursor: string | undefined, exceptBook: string | undefined): Promise<StoredBatch>;
}

export interface StoredBatch {
  chunks: StoredChunk[];
  /** Where the next batch begins; absent at the end. */
  cursor: string | undefined;
}
