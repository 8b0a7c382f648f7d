import type { Response } from 'express';
import type { Admission } from '../admission/admission.js';
import { freePermit, type Limits } from '../limits/limits.js';
import { acceptOnce, type Accepted } from './accept-once.js';
import type { AcceptDependencies, Acceptance } from './accept-run.js';

export interface LimitedDependencies extends AcceptDependencies {
  limits: Pick<Limits, 'enter'>;
  admission: Pick<Admission, 'enter'>;
}

export type AcceptedWithinLimits = Accepted & {
  /** Gives the place among the caller's questions back; without it that happens when Postgres knows of the end. */
  runHasEnded(): void;
};

/** Accepts a question within its caller's limits. What is refused, or was asked before, takes nothing of them. */
export async function acceptWithinLimits(
  deps: LimitedDependencies,
  res: Response,
  acceptance: Acceptance,
): Promise<AcceptedWithinLimits> {
  let permit = freePermit;
  let hasArrived = () => {};
  try {
    const accepted = await acceptOnce(deps, acceptance, async () => {
      permit = await deps.limits.enter(res);
      hasArrived = await deps.admission.enter(acceptance.tenant);
    });
    if (!accepted.replayed) {
      // Without the question, which would be kept for as long as the place is held.
      const { id, deadlineAt } = accepted.run;
      return { ...accepted, runHasEnded: permit.holdFor({ id, deadlineAt }) };
    }
    permit.giveBack();
    return { ...accepted, runHasEnded() {} };
  } catch (error) {
    permit.giveBack();
    throw error;
  } finally {
    hasArrived();
  }
}
