import type { Logger } from '@quire/shared/logging';
import type { Redis } from 'ioredis';
import type { Embedders } from '../embedding/embedders.js';
import type { IndexCollections } from '../index/index-collections.js';
import type { PageChunker } from './page-chunker.js';

export interface IngestionParts {
  /** The index's name. */
  indexName: string;
  collections: IndexCollections;
  embedders: Embedders;
  chunker: PageChunker;
  redis: Redis;
  logger: Logger;
}
