import { announceCancel } from '@quire/shared/cancellation';
import { abandonedRuns, renewGrace, requestCancel, type Database } from '@quire/shared/database';
import { redisKeys } from '@quire/shared/redis';
import type { Redis } from 'ioredis';

export interface CancelAbandonedDependencies {
  db: Database;
  redis: Redis;
  /** How long a run that is to be cancelled with its client is kept for one that comes back. */
  graceMs: number;
}

const AT_ONCE = 200;

/**
 * Cancels runs that their clients left more than a grace ago, and that nobody follows on any gateway. The grace counts
 * from when somebody was last seen to follow: the note of a client that left may be older than the one that is there,
 * whose gateway may be about to stop. With an id only this run is looked at.
 */
export async function cancelAbandoned(
  { db, redis, graceMs }: CancelAbandonedDependencies,
  runId?: string,
): Promise<string[]> {
  const left = await abandonedRuns(db, { graceMs, limit: AT_ONCE, runId });
  if (left.length === 0) return [];
  const channels = left.map(({ id }) => redisKeys.runChannel(id));
  // Channel and number of its subscribers by turns.
  const subscribers = (await redis.pubsub('NUMSUB', ...channels)) as (string | number)[];
  const isFollowed = (i: number) => Number(subscribers[2 * i + 1]) > 0;
  const followed = left.filter((_, i) => isFollowed(i)).map(({ id }) => id);
  if (followed.length > 0) await renewGrace(db, followed);
  const cancelled: string[] = [];
  for (const [i, { id, isDue }] of left.entries()) {
    if (!isDue || isFollowed(i) || !(await requestCancel(db, id))) continue;
    await announceCancel(redis, id);
    cancelled.push(id);
  }
  return cancelled;
}
