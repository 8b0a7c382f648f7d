import { endingsOf, type ClientView } from '../clients/client-view.js';
import type { FaultName } from '../faults/fault-kinds.js';
import type { PastFault } from '../faults/run-schedule.js';

export interface FaultSummary {
  name: FaultName;
  injected: number;
  /** From a fault's end until the answer to a question that was asked after it; the slowest, undefined if none came. */
  slowestRecoveryMs: number | undefined;
  /** The longest wait for the `reset` of a stream that another worker took over; undefined if none was. */
  longestSilenceMs: number | undefined;
}

/** What a process had written when it was struck may arrive this much later. */
const DELIVERY_MS = 1000;

export function summariseFaults(past: readonly PastFault[], views: readonly ClientView[]): FaultSummary[] {
  const names = [...new Set(past.map(({ name }) => name))].sort();
  return names.map((name) => {
    const faults = past.filter((fault) => fault.name === name);
    return {
      name,
      injected: faults.length,
      slowestRecoveryMs: greatest(faults.map(({ endedAt }) => recoveryAfter(endedAt, views) ?? Infinity)),
      longestSilenceMs: name.startsWith('agent-')
        ? greatest(faults.flatMap((fault) => silencesDuring(fault, views)))
        : undefined,
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

/** Silences that the fault began in, and a takeover ended. */
function silencesDuring({ begunAt }: PastFault, views: readonly ClientView[]): number[] {
  return views.flatMap(({ events }) =>
    events.flatMap((event, index) => {
      const before = events[index - 1];
      if (event.reason !== 'taken_over' || !before) return [];
      const isOurs = before.at <= begunAt + DELIVERY_MS && event.at >= begunAt;
      return isOurs ? [event.at - before.at] : [];
    }),
  );
}

function greatest(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}
