import { endingsOf, type ClientView } from '../clients/client-view.js';
import type { FaultName } from '../faults/fault-kinds.js';
import type { PastFault } from '../faults/run-schedule.js';

export interface FaultSummary {
  name: FaultName;
  injected: number;
  /** From a fault's end until the answer to a question that was asked after it; the slowest, undefined if none came. */
  slowestRecoveryMs: number | undefined;
  /** The longest wait for the `reset` of a stream that another worker took over, while nothing else was wrong. */
  slowestTakeoverMs: number | undefined;
  /** The same, while another fault lasted or began. */
  slowestTakeoverBesideMs: number | undefined;
}

/** What a process had written when it was struck may arrive this much later. */
const DELIVERY_MS = 1000;

export function summariseFaults(past: readonly PastFault[], views: readonly ClientView[]): FaultSummary[] {
  const names = [...new Set(past.map(({ name }) => name))].sort();
  return names.map((name) => {
    const faults = past.filter((fault) => fault.name === name);
    const takeovers = name.startsWith('agent-')
      ? faults.flatMap((fault) => takeoversAfter(fault, past, views))
      : [];
    const [beside, alone] = [true, false].map((isBeside) =>
      greatest(takeovers.filter((takeover) => takeover.isBeside === isBeside).map(({ afterMs }) => afterMs)),
    );
    return {
      name,
      injected: faults.length,
      slowestRecoveryMs: greatest(faults.map(({ endedAt }) => recoveryAfter(endedAt, views) ?? Infinity)),
      slowestTakeoverMs: alone,
      slowestTakeoverBesideMs: beside,
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

interface Takeover {
  afterMs: number;
  isBeside: boolean;
}

/** Of the streams that fell silent with the fault, from the fault to the `reset`. */
function takeoversAfter(
  fault: PastFault,
  past: readonly PastFault[],
  views: readonly ClientView[],
): Takeover[] {
  return views.flatMap(({ events }) =>
    events.flatMap(({ reason, at }, index) => {
      const before = events[index - 1];
      if (reason !== 'taken_over' || !before) return [];
      if (before.at > fault.begunAt + DELIVERY_MS || at < fault.begunAt) return [];
      const isBeside = past.some(
        (other) => other !== fault && other.begunAt <= at && other.endedAt >= fault.begunAt,
      );
      return [{ afterMs: at - fault.begunAt, isBeside }];
    }),
  );
}

function greatest(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}
