import type { ClientView } from '../clients/client-view.js';
import { faultKinds } from '../faults/fault-kinds.js';
import type { PastFault } from '../faults/run-schedule.js';
import type { StalledRun } from '../world/stalled-runs.js';

/** A stream that an agent worker left in the middle, and that another one went on with. */
export interface Takeover {
  fault: PastFault;
  runId: string;
  /** From the blow to the `reset`. */
  afterMs: number;
  /** Something else was wrong as well, or no agent worker had a free place. */
  isHindered: boolean;
}

export interface Observed {
  past: readonly PastFault[];
  views: readonly ClientView[];
  stalledRuns: readonly StalledRun[];
}

/** What the product promises of a killed agent worker's runs. */
const LIMIT_MS = 10_000;
/** What a process had written when it was struck may arrive this much later. */
const DELIVERY_MS = 1000;
/** A fault of Redis leaves locks that are lost and workers that find back to it: twice as long as a lock lasts. */
const REDIS_AFTERMATH_MS = 10_000;
/** A run that was found and for which there is a place begins at once; this is for a busy machine. */
const BEGIN_MS = 1000;

export function findTakeovers(observed: Observed): Takeover[] {
  const struck = observed.past.filter(({ name }) => name === 'agent-kill' || name === 'agent-freeze');
  return struck.flatMap((fault) => takeoversAfter(fault, observed));
}

/** Those that nothing excuses. */
export function lateTakeovers(takeovers: readonly Takeover[]): Takeover[] {
  return takeovers.filter(({ afterMs, isHindered }) => !isHindered && afterMs > LIMIT_MS);
}

/** Of the streams that fell silent with the fault. */
function takeoversAfter(fault: PastFault, { past, views, stalledRuns }: Observed): Takeover[] {
  const others = past.filter((other) => other !== fault);
  return views.flatMap(({ events, runIds: [runId = ''] }) =>
    events.flatMap(({ reason, at }, index) => {
      const before = events[index - 1];
      if (reason !== 'taken_over' || !before) return [];
      if (before.at > fault.begunAt + DELIVERY_MS || at < fault.begunAt) return [];
      const found = stalledRuns.find((run) => run.runId === runId && run.foundAt >= fault.begunAt);
      const isHindered =
        others.some((other) => falls(other, fault.begunAt, at)) || hasWaited(found, fault, at);
      return [{ fault, runId, afterMs: at - fault.begunAt, isHindered }];
    }),
  );
}

function falls({ name, begunAt, endedAt }: PastFault, from: number, to: number): boolean {
  const aftermathMs = faultKinds[name].on === 'redis' ? REDIS_AFTERMATH_MS : 0;
  return begunAt <= to && endedAt + aftermathMs >= from;
}

/** It was found in time, and then waited for a free place. */
function hasWaited(found: StalledRun | undefined, { begunAt }: PastFault, at: number): boolean {
  return found !== undefined && found.foundAt - begunAt <= LIMIT_MS && at - found.foundAt > BEGIN_MS;
}
