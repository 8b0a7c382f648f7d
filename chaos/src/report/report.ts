import type { PlannedFault } from '../faults/schedule.js';
import type { FaultSummary } from '../verdict/recovery.js';
import type { UnexpectedEnd } from '../world/supervised-service.js';
import type { Offence, Totals } from '../verdict/totals.js';

export interface ChaosReport {
  seed: number;
  seconds: number;
  clients: number;
  schedule: readonly PlannedFault[];
  faults: FaultSummary[];
  totals: Totals;
  slowestRecoveryMs: number | undefined;
  offences: Offence[];
  /** Jobs and runs that were still under way long after the last client had gone. */
  leftUnderWay: string[];
  /** Processes that outlived the end. */
  leaked: string[];
  /** Ends of services that no fault had caused. */
  unexpectedEnds: UnexpectedEnd[];
}

/** Nothing lost, doubled, left hanging or left behind. */
export function isClean({ offences, leftUnderWay, leaked }: ChaosReport): boolean {
  return offences.length + leftUnderWay.length + leaked.length === 0;
}
