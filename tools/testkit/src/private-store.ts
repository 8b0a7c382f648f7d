import {
  startPostgres,
  startQdrant,
  startRedis,
  type RunningStore,
  type StoreOptions,
} from '@quire/stack/stores';
import { inject } from 'vitest';
import { makeTestFolder, removeTestFolder } from './test-folder.js';

/** A store of one test's own, to be killed, stopped and brought back while clients hold its URL. */
export interface PrivateStore {
  readonly url: string;
  readonly port: number;
  /** The pid of the current server process. */
  readonly pid: number | undefined;
  readonly dataDir: string;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Graceful; the data stays. */
  stop(): Promise<void>;
  /** Same port, same data. */
  restart(): Promise<void>;
  /** Stops it and removes the data. */
  cleanup(): Promise<void>;
}

export const startPrivateRedis = () => startPrivate(startRedis);
export const startPrivatePostgres = () => startPrivate(startPostgres);
export const startPrivateQdrant = () => startPrivate(startQdrant);

async function startPrivate(start: (options: StoreOptions) => Promise<RunningStore>): Promise<PrivateStore> {
  const dataDir = await makeTestFolder();
  const { binDir } = inject('quireStores');
  const options = { dataDir, binDir, preferContainers: true, throwaway: true, withoutQdrantKey: true };
  let store = await start(options);
  const { url, port } = store;
  return {
    url,
    port,
    dataDir,
    get pid() {
      return store.pid;
    },
    kill: (signal) => store.kill(signal),
    stop: () => store.stop(),
    async restart() {
      await store.stop();
      store = await start({ ...options, port });
    },
    async cleanup() {
      await store.stop();
      await removeTestFolder(dataDir);
    },
  };
}
