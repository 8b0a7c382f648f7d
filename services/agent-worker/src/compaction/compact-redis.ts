import type { Logger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import type { Redis } from 'ioredis';
import { PeriodicTask } from '@quire/shared/time';

const LOOK_EVERY_MS = 60_000;
/** A rewrite forks Redis and writes all that it holds. */
const REWRITES_APART_MS = 600_000;

export interface CompactionParts {
  redis: Redis;
  logger: Logger;
  lookEveryMs?: number;
  rewritesApartMs?: number;
}

/**
 * Has Redis rewrite its append-only file after deletions: until then the file holds what was deleted. Every worker may
 * look; one rewrite in a while is enough for all. A Redis that refuses keeps to its own schedule.
 */
export function redisCompaction(parts: CompactionParts): PeriodicTask {
  const { lookEveryMs = LOOK_EVERY_MS, logger } = parts;
  return new PeriodicTask(
    lookEveryMs,
    () => compact(parts),
    (error) => logger.debug({ stage: 'agent', error }, 'The append-only file of Redis is not rewritten'),
  );
}

async function compact({
  redis,
  logger,
  rewritesApartMs = REWRITES_APART_MS,
}: CompactionParts): Promise<void> {
  const deletions = Number(await redis.get(redisKeys.deletionsToCompact));
  if (deletions === 0) return;
  const persistence = await redis.info('persistence');
  // One that runs already may have begun before the deletion.
  if (/^aof_rewrite_in_progress:1/m.test(persistence)) return;
  const won = await redis.set(redisKeys.compacting, '1', 'PX', rewritesApartMs, 'NX');
  if (won !== 'OK') return;
  // Without an append-only file the command would write one.
  if (/^aof_enabled:1/m.test(persistence)) {
    await redis.bgrewriteaof();
    logger.info({ stage: 'agent', deletions }, 'Redis rewrites its append-only file after deletions');
  }
  // Those that came meanwhile are left for the next rewrite.
  await redis.decrby(redisKeys.deletionsToCompact, deletions);
}
