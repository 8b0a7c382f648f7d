/** The target of a fault; a target has one fault at a time. */
export type FaultTarget = 'services' | 'redis' | 'postgres' | 'qdrant';

interface FaultKind {
  on: FaultTarget;
  /** The shortest and the longest time from its injection to its clearing. */
  lastsMs: readonly [number, number];
}

export const faultKinds = {
  'agent-kill': { on: 'services', lastsMs: [1000, 1000] },
  'agent-freeze': { on: 'services', lastsMs: [8000, 12_000] },
  'retrieval-kill': { on: 'services', lastsMs: [1000, 1000] },
  'retrieval-freeze': { on: 'services', lastsMs: [8000, 12_000] },
  'gateway-kill': { on: 'services', lastsMs: [1000, 1000] },
  'gateway-freeze': { on: 'services', lastsMs: [8000, 12_000] },
  'drain-one': { on: 'services', lastsMs: [3000, 3000] },
  'drain-all': { on: 'services', lastsMs: [15_000, 15_000] },
  'redis-restart': { on: 'redis', lastsMs: [500, 2000] },
  'redis-crash': { on: 'redis', lastsMs: [1500, 3000] },
  'redis-flush': { on: 'redis', lastsMs: [0, 0] },
  'redis-pause': { on: 'redis', lastsMs: [10_000, 10_000] },
  'redis-reset': { on: 'redis', lastsMs: [100, 1000] },
  'redis-strand': { on: 'redis', lastsMs: [0, 0] },
  'redis-full': { on: 'redis', lastsMs: [5000, 5000] },
  'redis-failover': { on: 'redis', lastsMs: [500, 2000] },
  'postgres-crash': { on: 'postgres', lastsMs: [500, 2000] },
  'postgres-pause': { on: 'postgres', lastsMs: [5000, 5000] },
  'postgres-reset': { on: 'postgres', lastsMs: [100, 1000] },
  'postgres-strand': { on: 'postgres', lastsMs: [0, 0] },
  'qdrant-crash': { on: 'qdrant', lastsMs: [500, 2000] },
  'qdrant-pause': { on: 'qdrant', lastsMs: [5000, 5000] },
  'qdrant-reset': { on: 'qdrant', lastsMs: [100, 1000] },
  'qdrant-strand': { on: 'qdrant', lastsMs: [0, 0] },
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof faultKinds;
export const faultNames = Object.keys(faultKinds) as FaultName[];
