import type { AgentCapacity } from '@quire/shared/process';

const CACHED_MS = 1000;

/** The capacities that agent workers publish, read at most once a second however many requests need them. */
export class KnownCapacities {
  private cached: { workers: Promise<AgentCapacity[]>; until: number } | undefined;

  constructor(private readonly read: () => Promise<AgentCapacity[]>) {}

  get(): Promise<AgentCapacity[]> {
    if (!this.cached || Date.now() > this.cached.until) {
      const workers = this.read();
      this.cached = { workers, until: Date.now() + CACHED_MS };
      workers.catch(() => (this.cached = undefined));
    }
    return this.cached.workers;
  }
}

/**
 * How long a run waits behind `ahead` others at the workers' recent pace. Undefined without an estimate: there is no
 * worker, or none has finished a run yet.
 */
export function expectedWaitMs(ahead: number, workers: readonly AgentCapacity[]): number | undefined {
  const average = averageServiceMs(workers);
  if (average === undefined) return undefined;
  const runsPerMs = sum(workers, ({ concurrency, service_ms }) => concurrency / (service_ms ?? average));
  return ahead / runsPerMs;
}

/** The recent average time of a run in a worker; undefined until a worker has finished one. */
export function averageServiceMs(workers: readonly AgentCapacity[]): number | undefined {
  const known = workers.filter(({ service_ms }) => service_ms !== null);
  const executions = sum(known, ({ concurrency }) => concurrency);
  if (executions === 0) return undefined;
  return sum(known, ({ concurrency, service_ms }) => concurrency * (service_ms ?? 0)) / executions;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
