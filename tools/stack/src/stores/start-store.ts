import { join } from 'node:path';
import { StackError } from '../stack-error.js';
import { placeData } from './data-place.js';
import { requireDiskSpace } from './disk-space.js';
import type { RunningStore, StoreOptions } from './running-store.js';
import { postgresSources } from './sources/postgres-sources.js';
import { qdrantSources } from './sources/qdrant-sources.js';
import { redisSources } from './sources/redis-sources.js';
import type { StoreSource, StoreSources } from './sources/store-source.js';

export const startRedis = (options: StoreOptions) => startStore(redisSources, options);
export const startPostgres = (options: StoreOptions) => startStore(postgresSources, options);
export const startQdrant = (options: StoreOptions) => startStore(qdrantSources, options);

/** Takes the first way of running the store that is open on this machine. */
async function startStore(
  { store, sources, remedy }: StoreSources,
  wanted: StoreOptions,
): Promise<RunningStore> {
  const { dataDir } = await placeData(wanted.dataDir);
  await requireDiskSpace(dataDir);
  const options = { ...wanted, dataDir };
  const located = {
    binDir: options.binDir ?? join(dataDir, 'bin'),
    env: options.env ?? process.env,
    notice: options.notice ?? (() => {}),
  };
  const closed: string[] = [];
  for (const source of inOrder(sources, options.preferContainers ?? false)) {
    const start = await source.locate(located);
    if (typeof start === 'function') return await start(options);
    closed.push(start.closed);
  }
  throw new StackError(`no way to run ${store} here: ${closed.join('; ')}`, remedy);
}

/** The one place that decides between containers and embedded servers. */
function inOrder(sources: readonly StoreSource[], preferContainers: boolean): StoreSource[] {
  if (!preferContainers) return [...sources];
  const containers = sources.filter((source) => source.name === 'container');
  return [...containers, ...sources.filter((source) => source.name !== 'container')];
}
