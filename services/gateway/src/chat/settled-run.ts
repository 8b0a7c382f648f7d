import { findRun, finishRun, type Database, type NewRun, type Run } from '@quire/shared/database';
import { DeadlineExceeded } from '@quire/shared/errors';

/** Time for a worker that commits at the last moment to be heard before the gateway closes the run. */
const DEADLINE_GRACE_MS = 3000;

export const overdueAt = (run: Pick<NewRun, 'deadlineAt'>): number =>
  run.deadlineAt.getTime() + DEADLINE_GRACE_MS;

/** A run as Postgres knows it; one that nobody finished by its deadline is closed first. */
export async function findSettledRun(db: Database, id: string): Promise<Run | undefined> {
  const run = await findRun(db, id);
  if (!run || run.outcome || Date.now() <= overdueAt(run)) return run;
  const { code, message } = new DeadlineExceeded();
  await finishRun(db, id, { type: 'failed', data: { request_id: id, error_code: code, message } });
  return findRun(db, id);
}
