import { externalStore } from './external-store.js';
import type { RunningStore, StoreName, StoreOptions } from './running-store.js';
import { startPostgres, startQdrant, startRedis } from './start-store.js';

export interface StoresOptions extends Omit<StoreOptions, 'port' | 'log'> {
  env: NodeJS.ProcessEnv;
  log?: (store: StoreName, line: string) => void;
}

export interface RunningStores {
  redis: RunningStore;
  postgres: RunningStore;
  qdrant: RunningStore;
  all: readonly RunningStore[];
  /** Stops those that are ours. Idempotent. */
  stop(): Promise<void>;
}

/** Starts all three at once, each the user's own where its variable is set. None is left running when one fails. */
export async function startStores(options: StoresOptions): Promise<RunningStores> {
  const launches = [
    start('redis', startRedis, options),
    start('postgres', startPostgres, options),
    start('qdrant', startQdrant, options),
  ] as const;
  try {
    const [redis, postgres, qdrant] = await Promise.all(launches);
    const all = [redis, postgres, qdrant];
    return { redis, postgres, qdrant, all, stop: () => stopAll(all) };
  } catch (error) {
    const settled = await Promise.allSettled(launches);
    await stopAll(settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));
    throw error;
  }
}

async function start(
  name: StoreName,
  launch: (options: StoreOptions) => Promise<RunningStore>,
  { log, ...options }: StoresOptions,
): Promise<RunningStore> {
  const own = await externalStore(name, options.env);
  return own ?? (await launch({ ...options, ...(log ? { log: (line: string) => log(name, line) } : {}) }));
}

async function stopAll(stores: readonly RunningStore[]): Promise<void> {
  await Promise.all(stores.map((store) => store.stop()));
}
