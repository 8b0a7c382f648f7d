import type { Logger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import { PeriodicTask } from '@quire/shared/time';
import type { Redis } from 'ioredis';

const CHECK_EVERY_MS = 60_000;
/** The shortest time between two rewrites: each forks Redis and writes all of its data. */
const REWRITES_APART_MS = 600_000;

export interface CompactionParts {
  redis: Redis;
  logger: Logger;
  checkEveryMs?: number;
  rewritesApartMs?: number;
}

/**
 * Has Redis rewrite its append-only file after deletions, because until then the file holds the deleted text. Every
 * worker checks; a key in Redis keeps rewrites apart. A Redis that refuses the command rewrites on its own schedule.
 */
export function redisCompaction(parts: CompactionParts): PeriodicTask {
  const { checkEveryMs = CHECK_EVERY_MS, logger } = parts;
  return new PeriodicTask(
    checkEveryMs,
    () => compact(parts),
    (error) => logger.debug({ stage: 'agent', error }, 'Rewrite of the append-only file of Redis failed'),
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
  // A rewrite under way may have started before the deletion: the next check starts another.
  if (/^aof_rewrite_in_progress:1/m.test(persistence)) return;
  const won = await redis.set(redisKeys.compacting, '1', 'PX', rewritesApartMs, 'NX');
  if (won !== 'OK') return;
  // Without an append-only file the command would create one.
  if (/^aof_enabled:1/m.test(persistence)) {
    await redis.bgrewriteaof();
    logger.info(
      { stage: 'agent', deletions },
      'Rewrite of the append-only file of Redis started after deletions',
    );
  }
  // Deletions since the read above are left for the next rewrite.
  await redis.decrby(redisKeys.deletionsToCompact, deletions);
}
