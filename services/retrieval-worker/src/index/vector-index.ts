import type { Chunk, SearchFilters } from '@quire/shared/contracts';

/** Which embedder made the vectors; an index never mixes two. */
export interface IndexMaker {
  embedder: string;
  dimensions: number;
}

export interface IndexDescription extends IndexMaker {
  points: number;
}

export interface IndexedChunk {
  chunk: Chunk;
  vector: number[];
}

export interface IndexQuery {
  vector: number[];
  limit: number;
  /** Only hits with a greater cosine similarity count. */
  threshold: number;
  filters?: SearchFilters | undefined;
}

/** A chunk with its cosine similarity to the query (0–1) and its vector. */
export interface IndexHit extends IndexedChunk {
  similarity: number;
}

/**
 * Chunks found by the likeness of their vectors. Every call rejects with `DependencyUnavailable` while the index
 * cannot be reached.
 */
export interface VectorIndex {
  /** Makes the index if it is missing; rejects with `IndexMismatch` if another embedder or dimension made it. */
  ensure(maker: IndexMaker): Promise<void>;
  /** Undefined when there is no index yet. */
  describe(): Promise<IndexDescription | undefined>;
  /** Adds chunks, or replaces those with the same `chunk_id`. */
  upsert(chunks: readonly IndexedChunk[]): Promise<void>;
  /** Removes the chunks of one page (its URL without anchor) except those named. */
  removePage(pageUrl: string, exceptChunkIds: readonly string[]): Promise<void>;
  /** Best first; no hits when there is no index yet. */
  search(query: IndexQuery): Promise<IndexHit[]>;
}
