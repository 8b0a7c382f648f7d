import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Lease, redisKeys } from '@quire/shared/redis';
import { timeBudgets } from '@quire/shared/time';
import type { Redis } from 'ioredis';
import type { PageKey } from '../index/vector-index.js';

const RETRY_MS = 100;

/**
 * Runs `work` as the page's only writer. Two that replace a page by different texts at the same time would remove each
 * other's chunks.
 */
export async function withPageLock<T>(
  redis: Redis,
  collection: string,
  page: PageKey,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const keys = { lease: redisKeys.pageLock(collection, page.book, page.path) };
  const owner = randomUUID();
  let lease: Lease | undefined;
  while (!(lease = await Lease.acquire(redis, keys, owner, timeBudgets.pageLease))) {
    await sleep(RETRY_MS, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    await lease.release();
  }
}
