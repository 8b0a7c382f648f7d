import type { PlannedFault } from '../faults/schedule.js';
import type { FaultSummary } from '../verdict/recovery.js';
import type { Takeover } from '../verdict/takeovers.js';
import type { Offence, Totals } from '../verdict/totals.js';
import type { UnexpectedEnd } from '../world/supervised-service.js';

export interface ChaosReport {
  seed: number;
  seconds: number;
  clients: number;
  schedule: readonly PlannedFault[];
  faults: FaultSummary[];
  totals: Totals;
  slowestRecoveryMs: number | undefined;
  offences: Offence[];
  /** Streams that no worker took over in time, although no other fault was active. */
  lateTakeovers: Takeover[];
  /** Jobs and runs that were unfinished long after the last client's end. */
  leftUnderWay: string[];
  /** Processes that ran after the end. */
  leaked: string[];
  /** Ends of services that no fault had caused. */
  unexpectedEnds: UnexpectedEnd[];
}

/** Nothing lost, doubled, left hanging or left behind; no service that ended by itself, no takeover too late. */
export function isClean(report: ChaosReport): boolean {
  const { offences, lateTakeovers, leftUnderWay, leaked, unexpectedEnds } = report;
  return [offences, lateTakeovers, leftUnderWay, leaked, unexpectedEnds].every((each) => each.length === 0);
}
