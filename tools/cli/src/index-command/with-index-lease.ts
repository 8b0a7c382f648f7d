import { randomUUID } from 'node:crypto';
import { IndexLease } from '@quire/shared/ingestion';
import type { Surroundings } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { openRedis, redisAddress } from '../connections.js';

/** Holds the lease of an index, so that no ingestion runs and workers drop its queued pages; without Redis there is none. */
export async function withIndexLease<T>(
  surroundings: Surroundings,
  index: string,
  work: () => Promise<T>,
): Promise<T> {
  const redis = await redisAddress(surroundings)
    .then(openRedis)
    .catch(() => undefined);
  if (!redis) return work();
  try {
    const lease = await IndexLease.acquire(redis, index, randomUUID());
    if (!lease)
      throw new CommandFailure('An ingestion into this index is under way: wait for it to end, or stop it.');
    try {
      return await work();
    } finally {
      await lease.release();
    }
  } finally {
    redis.disconnect();
  }
}
