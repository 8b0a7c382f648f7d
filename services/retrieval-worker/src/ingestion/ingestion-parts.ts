import type { Logger } from '@quire/shared/logging';
import type { Redis } from 'ioredis';
import type { Embedders } from '../embedding/embedders.js';
import type { IndexShelf } from '../index/index-shelf.js';
import type { PageChunker } from './page-chunker.js';

export interface IngestionParts {
  /** The index's name. */
  indexName: string;
  shelf: IndexShelf;
  embedders: Embedders;
  chunker: PageChunker;
  redis: Redis;
  logger: Logger;
}
