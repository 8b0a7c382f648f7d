import type { ClientView } from '../clients/client-view.js';
import { faultKinds } from '../faults/fault-kinds.js';
import type { PastFault } from '../faults/run-schedule.js';
import type { StalledRun } from '../world/stalled-runs.js';

/** A stream that another agent worker continued after a fault of the first one. */
export interface Takeover {
  fault: PastFault;
  runId: string;
  /** The time from the fault to the `reset`. */
  afterMs: number;
  /** Another fault was active, or every agent worker was busy. */
  isHindered: boolean;
}

export interface Observed {
  past: readonly PastFault[];
  views: readonly ClientView[];
  stalledRuns: readonly StalledRun[];
}

/** The product promises a takeover within this time. */
const LIMIT_MS = 10_000;
/** Events that a worker sent before its fault may arrive this much later. */
const DELIVERY_MS = 1000;
/** After a fault of Redis, locks expire and workers reconnect for twice the duration of a lock. */
const REDIS_AFTERMATH_MS = 10_000;
/** A stalled run starts at once if a worker is free; the rest is for a busy machine. */
const BEGIN_MS = 1000;

export function findTakeovers(observed: Observed): Takeover[] {
  const struck = observed.past.filter(({ name }) => name === 'agent-kill' || name === 'agent-freeze');
  return struck.flatMap((fault) => takeoversAfter(fault, observed));
}

/** Takeovers that took too long although nothing hindered them. */
export function lateTakeovers(takeovers: readonly Takeover[]): Takeover[] {
  return takeovers.filter(({ afterMs, isHindered }) => !isHindered && afterMs > LIMIT_MS);
}

/** Takeovers of the streams that the fault interrupted. */
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

/** Whether the run was found in time and then waited for a free worker. */
function hasWaited(found: StalledRun | undefined, { begunAt }: PastFault, at: number): boolean {
  return found !== undefined && found.foundAt - begunAt <= LIMIT_MS && at - found.foundAt > BEGIN_MS;
}
