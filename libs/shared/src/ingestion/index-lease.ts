import type { Redis } from 'ioredis';
import { Lease, type LeaseTimings } from '../redis/lease.js';
import { redisKeys } from '../redis/redis-keys.js';
import { timeBudgets } from '../time/index.js';

/**
 * One ingestion's lease of an index. Two at once would remove each other's pages, and one that replaces the index moves
 * the chunks of all its books.
 */
export type IndexLease = Lease;

export const IndexLease = {
  /** Undefined while another ingestion holds it. */
  acquire(
    redis: Redis,
    index: string,
    ingestionId: string,
    timings: LeaseTimings = timeBudgets.indexLease,
  ): Promise<Lease | undefined> {
    const keys = { lease: redisKeys.indexLease(index), lastOwner: redisKeys.lastIngestion(index) };
    return Lease.acquire(redis, keys, ingestionId, timings);
  },

  /**
   * The ingestion that acquired the index last, whether it still runs or not; tasks of any other are out of date.
   * Undefined when Redis knows of none.
   */
  async lastHolder(redis: Redis, index: string): Promise<string | undefined> {
    return (await redis.get(redisKeys.lastIngestion(index))) ?? undefined;
  },
};
