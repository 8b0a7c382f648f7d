import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { redisKeys } from '@quire/shared/redis';
import type { Redis } from 'ioredis';
import type { PageKey } from '../index/vector-index.js';

const HELD_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
const LOOK_AGAIN_MS = 100;

const renewOwn = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end`;
const releaseOwn = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end`;

/**
 * One writer per page at a time. Two that replace a page by different texts at once would each remove what the
 * other has written.
 */
export async function withPageLock<T>(
  redis: Redis,
  collection: string,
  page: PageKey,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const key = redisKeys.pageLock(collection, page.book, page.path);
  const token = randomUUID();
  while ((await redis.set(key, token, 'PX', HELD_MS, 'NX')) === null) {
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
  const ignoreOutage = () => {};
  const timer = setInterval(
    () => void redis.eval(renewOwn, 1, key, token, HELD_MS).catch(ignoreOutage),
    RENEW_EVERY_MS,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await redis.eval(releaseOwn, 1, key, token).catch(ignoreOutage);
  }
}
