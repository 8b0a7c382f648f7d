import type { LeaseTimings } from '@quire/shared/ingestion';
import type { Redis } from 'ioredis';
import type { WorkerPatience } from './worker-watch.js';

export type IngestionProgress =
  | { type: 'pages'; found: number; finished: number; failed: number; chunks: number }
  /** Chunks of other pages are copied from the index that is replaced. */
  | { type: 'carry'; carried: number };

export type IngestionEvent =
  /** Sent whenever the queue is polled, changed or not. */
  | IngestionProgress
  /** Another ingestion holds the lease of the index. */
  | { type: 'lease_taken' }
  /** Another embedder made the index: a new one is built, and the old one is searched until that is finished. */
  | { type: 'replacing' }
  | { type: 'no_worker' }
  | { type: 'redis_lost' }
  | { type: 'redis_restored' };

export interface IngestionOptions {
  /** Retries its commands while Redis is away. */
  redis: Redis;
  /** Leased until the ingestion ends. */
  index: string;
  /** Ends the ingestion; pages that are queued already are still indexed. */
  signal: AbortSignal;
  onEvent: (event: IngestionEvent) => void;
  patience?: WorkerPatience | undefined;
  lease?: LeaseTimings | undefined;
}
