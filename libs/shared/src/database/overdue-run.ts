import type { RunOutcome } from '../contracts/run-event.contract.js';
import { DeadlineExceeded } from '../errors/index.js';
import { timeBudgets } from '../time/index.js';
import type { NewRun } from './run.repository.js';

/** When any process may close the run. */
export const overdueAt = ({ deadlineAt }: Pick<NewRun, 'deadlineAt'>): number =>
  deadlineAt.getTime() + timeBudgets.run.deadlineGraceMs;

/** The outcome of a run that has not ended in time. */
export function overdueOutcome(runId: string): RunOutcome {
  const { code, message } = new DeadlineExceeded();
  return { type: 'failed', data: { request_id: runId, error_code: code, message } };
}
