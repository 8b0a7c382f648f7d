import type { IndexMaker } from '@quire/shared/qdrant';
import type { VectorIndex } from './vector-index.js';

export interface CurrentCollection {
  collection: string;
  maker: IndexMaker;
  chunks: number;
}

/**
 * The collections of one index. One of them is current and serves questions; another one may be filled by a new embedder,
 * since vectors of two embedders cannot be compared. Every method rejects with `DependencyUnavailable` while Qdrant
 * cannot be reached.
 */
export interface IndexCollections {
  /** The collection that serves questions; undefined before there is one. */
  current(): Promise<CurrentCollection | undefined>;
  /** Undefined if there is no such collection. */
  makerOf(collection: string): Promise<IndexMaker | undefined>;
  /** Creates the collection for this maker unless it exists, and returns its name. */
  prepare(maker: IndexMaker): Promise<string>;
  /**
   * Returns the collection that an ingestion by this maker fills. One that is to replace the current collection is kept
   * if that has not changed since it was begun, so that an interrupted ingestion continues; otherwise it is created anew.
   */
  begin(maker: IndexMaker, ingestionId: string): Promise<string>;
  /** Makes this maker's collection current if none is, and returns the current one. */
  establish(maker: IndexMaker): Promise<CurrentCollection>;
  /** Makes this collection current in one step, and removes collections of the index that are no longer used. */
  activate(collection: string): Promise<void>;
  /** Records that a book has been ingested completely. */
  recordRun(collection: string, book: string): Promise<void>;
  open(collection: string): VectorIndex;
}
