import { announceCancel } from '@quire/shared/cancellation';
import { abandonedRuns, requestCancel, type Database } from '@quire/shared/database';
import { redisKeys } from '@quire/shared/redis';
import type { Redis } from 'ioredis';

const AT_ONCE = 200;

/** Cancels runs that their clients left more than a grace ago, and that nobody follows on any gateway. */
export async function cancelAbandoned(db: Database, redis: Redis, graceMs: number): Promise<string[]> {
  const left = await abandonedRuns(db, graceMs, AT_ONCE);
  if (left.length === 0) return [];
  const followed = (await redis.pubsub('NUMSUB', ...left.map(redisKeys.runChannel))) as (string | number)[];
  const cancelled: string[] = [];
  for (const [i, runId] of left.entries()) {
    // Channel and number of its subscribers by turns.
    if (Number(followed[2 * i + 1]) > 0 || !(await requestCancel(db, runId))) continue;
    await announceCancel(redis, runId);
    cancelled.push(runId);
  }
  return cancelled;
}
