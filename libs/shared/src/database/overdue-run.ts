import type { RunOutcome } from '../contracts/run-event.contract.js';
import { DeadlineExceeded } from '../errors/index.js';
import type { NewRun } from './run.repository.js';

/** Time for a worker that commits at the last moment to be heard before somebody else closes the run. */
const DEADLINE_GRACE_MS = 3000;

export const overdueAt = ({ deadlineAt }: Pick<NewRun, 'deadlineAt'>): number =>
  deadlineAt.getTime() + DEADLINE_GRACE_MS;

/** How a run ends that nobody has finished in its time. */
export function overdueOutcome(runId: string): RunOutcome {
  const { code, message } = new DeadlineExceeded();
  return { type: 'failed', data: { request_id: runId, error_code: code, message } };
}
