import { IndexLease } from '@quire/shared/ingestion';
import type { IngestionParts } from './ingestion-parts.js';

/** Whether a newer ingestion into the index has begun, which makes the task out of date. */
export async function isSuperseded(
  { redis, indexName }: Pick<IngestionParts, 'redis' | 'indexName'>,
  { ingestion_id: ingestionId }: { ingestion_id: string },
): Promise<boolean> {
  const last = await IndexLease.lastHolder(redis, indexName);
  return last !== undefined && last !== ingestionId;
}
