import { archiveIdleThreads, type Database } from '@quire/shared/database';
import type { Logger } from '@quire/shared/logging';
import { PeriodicTask } from '@quire/shared/time';

/** Few enough for a statement to be short, however many have piled up. */
const AT_ONCE = 1000;

export interface ArchivalParts {
  db: Database;
  /** How long a thread is in use behind its last turn. */
  idleMs: number;
  everyMs: number;
  logger: Logger;
}

/** Archives threads that nobody uses any more; every worker may do so, they do not get in each other's way. */
export function idleThreadArchival({ db, idleMs, everyMs, logger }: ArchivalParts): PeriodicTask {
  const sweep = async () => {
    let archived: number;
    do {
      archived = await archiveIdleThreads(db, { idleMs, limit: AT_ONCE });
      if (archived > 0) logger.debug({ stage: 'agent', archived }, 'Idle threads archived');
    } while (archived === AT_ONCE);
  };
  return new PeriodicTask(everyMs, sweep, (error) =>
    logger.debug({ stage: 'agent', error }, 'Idle threads could not be archived'),
  );
}
