import { announceCancel } from '@quire/shared/cancellation';
import { abandonedRuns, renewGrace, requestCancel, type Database } from '@quire/shared/database';
import { redisKeys } from '@quire/shared/redis';
import type { Redis } from 'ioredis';

export interface CancelAbandonedDependencies {
  db: Database;
  redis: Redis;
  /** How long an abandoned run may be resumed before it is cancelled. */
  graceMs: number;
}

const AT_ONCE = 200;

/**
 * Cancels runs that were abandoned longer than the grace ago and have no follower on any gateway; returns their ids. A
 * run that has a follower although its row says `abandoned` gets a new grace: the follower's gateway may be about to
 * stop, and its client needs the time to reconnect. With `runId` only that run is checked.
 */
export async function cancelAbandoned(
  { db, redis, graceMs }: CancelAbandonedDependencies,
  runId?: string,
): Promise<string[]> {
  const left = await abandonedRuns(db, { graceMs, limit: AT_ONCE, runId });
  if (left.length === 0) return [];
  const channels = left.map(({ id }) => redisKeys.runChannel(id));
  // The reply alternates channels and their numbers of subscribers.
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
