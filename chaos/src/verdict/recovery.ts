import { endingsOf, type ClientView } from '../clients/client-view.js';
import type { FaultName } from '../faults/fault-kinds.js';
import type { PastFault } from '../faults/run-schedule.js';
import type { Takeover } from './takeovers.js';

export interface FaultSummary {
  name: FaultName;
  injected: number;
  /** From a fault's end until the answer to a question that was asked after it; the slowest, undefined if none came. */
  slowestRecoveryMs: number | undefined;
  /** The longest wait for the `reset` of a stream that another worker took over, unhindered by other faults. */
  slowestTakeoverMs: number | undefined;
  /** The longest wait for a `reset` that another fault may have delayed. */
  slowestHinderedTakeoverMs: number | undefined;
}

export function summariseFaults(
  past: readonly PastFault[],
  views: readonly ClientView[],
  takeovers: readonly Takeover[],
): FaultSummary[] {
  const names = [...new Set(past.map(({ name }) => name))].sort();
  return names.map((name) => {
    const faults = past.filter((fault) => fault.name === name);
    const slowest = (hindered: boolean) =>
      greatest(
        takeovers
          .filter(({ fault, isHindered }) => fault.name === name && isHindered === hindered)
          .map(({ afterMs }) => afterMs),
      );
    return {
      name,
      injected: faults.length,
      slowestRecoveryMs: greatest(faults.map(({ endedAt }) => recoveryAfter(endedAt, views) ?? Infinity)),
      slowestTakeoverMs: slowest(false),
      slowestHinderedTakeoverMs: slowest(true),
    };
  });
}

/** The first whole answer to a question that was asked after the fault. */
function recoveryAfter(endedAt: number, views: readonly ClientView[]): number | undefined {
  const answered = views.filter((view) => view.askedAt >= endedAt && isAnswered(view));
  const times = answered.map((view) => (view.endedAt ?? Infinity) - endedAt);
  return times.length === 0 ? undefined : Math.min(...times);
}

function isAnswered(view: ClientView): boolean {
  const [ending] = endingsOf(view);
  return ending?.type === 'completed' && ending.answer !== null;
}

function greatest(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}
