import {
  findRun,
  finishRun,
  overdueAt,
  overdueOutcome,
  type Database,
  type Run,
} from '@quire/shared/database';

/** A run as Postgres knows it; one that nobody finished by its deadline is closed first. */
export async function findSettledRun(db: Database, id: string): Promise<Run | undefined> {
  const run = await findRun(db, id);
  if (!run || run.outcome || Date.now() <= overdueAt(run)) return run;
  await finishRun(db, id, overdueOutcome(id));
  return findRun(db, id);
}
