import type { AgentCapacity } from '@quire/shared/process';

/**
 * How long a run waits with so many in front of it, when workers go on as they did of late. Undefined where nobody can
 * tell: no worker is there, or none has finished a run yet.
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
  const places = sum(known, ({ concurrency }) => concurrency);
  if (places === 0) return undefined;
  return sum(known, ({ concurrency, service_ms }) => concurrency * (service_ms ?? 0)) / places;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
