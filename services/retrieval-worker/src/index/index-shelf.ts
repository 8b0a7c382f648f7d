import type { IndexMaker } from '@quire/shared/qdrant';
import type { VectorIndex } from './vector-index.js';

export interface ShelvedIndex {
  collection: string;
  maker: IndexMaker;
  chunks: number;
}

/**
 * The collections of one index. One of them answers questions; another may be in the making, since vectors of two
 * embedders cannot be compared. Every call rejects with `DependencyUnavailable` while Qdrant cannot be reached.
 */
export interface IndexShelf {
  /** The collection that answers questions; undefined before there is one. */
  current(): Promise<ShelvedIndex | undefined>;
  /** Undefined when there is no such collection. */
  makerOf(collection: string): Promise<IndexMaker | undefined>;
  /** Makes the collection for this maker unless it is there, and answers its name. */
  prepare(maker: IndexMaker): Promise<string>;
  /**
   * Answers the collection that an ingestion by this maker fills. One that is to replace the current one is begun anew
   * unless it was begun from what that one still holds: an interrupted ingestion goes on, an outdated one does not.
   */
  begin(maker: IndexMaker, ingestionId: string): Promise<string>;
  /** Lets this maker's collection answer where none does yet; answers which one does then. */
  establish(maker: IndexMaker): Promise<ShelvedIndex>;
  /** Lets this collection answer from now on, in one step, and removes those that nobody asks any more. */
  activate(collection: string): Promise<void>;
  /** Notes that a book has been ingested to the end. */
  recordRun(collection: string, book: string): Promise<void>;
  open(collection: string): VectorIndex;
}
