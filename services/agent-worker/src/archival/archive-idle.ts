import { archiveIdleThreads, type Database } from '@quire/shared/database';
import type { Logger } from '@quire/shared/logging';
import { PeriodicTask } from '@quire/shared/time';

/** Bounds the time of one statement. */
const AT_ONCE = 1000;

export interface ArchivalParts {
  db: Database;
  /** A thread is idle this long after its last turn. */
  idleMs: number;
  everyMs: number;
  logger: Logger;
}

/** Archives idle threads. Every worker runs it; the statement skips rows that another one has locked. */
export function idleThreadArchival({ db, idleMs, everyMs, logger }: ArchivalParts): PeriodicTask {
  const sweep = async () => {
    let archived: number;
    do {
      archived = await archiveIdleThreads(db, { idleMs, limit: AT_ONCE });
      if (archived > 0) logger.debug({ stage: 'agent', archived }, 'Idle threads archived');
    } while (archived === AT_ONCE);
  };
  return new PeriodicTask(everyMs, sweep, (error) =>
    logger.debug({ stage: 'agent', error }, 'Archiving idle threads failed'),
  );
}
