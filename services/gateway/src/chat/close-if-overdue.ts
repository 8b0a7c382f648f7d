import {
  findRun,
  finishRun,
  overdueAt,
  overdueOutcome,
  type Database,
  type Run,
} from '@quire/shared/database';

/**
 * Closes a run that no worker has finished by its deadline: its clients see an end even if no worker is alive. Returns
 * the run as it stands then, or undefined if there is none.
 */
export async function closeIfOverdue(db: Database, id: string): Promise<Run | undefined> {
  const run = await findRun(db, id);
  if (!run || run.outcome || Date.now() <= overdueAt(run)) return run;
  await finishRun(db, id, overdueOutcome(id));
  return findRun(db, id);
}
