import type { RunningStore, StoreName, StoreOptions } from '../running-store.js';

export type SourceName = 'path' | 'package' | 'container';

/** One way of getting a store to run on this machine. */
export interface StoreSource {
  name: SourceName;
  /** Resolves with how to start it, or with the reason why this way is closed. */
  locate(options: LocateOptions): Promise<StartStore | Closed>;
}

export interface LocateOptions {
  binDir: string;
  env: NodeJS.ProcessEnv;
  notice: (line: string) => void;
}

export type StartStore = (options: StoreOptions) => Promise<RunningStore>;

export interface Closed {
  closed: string;
}

export interface StoreSources {
  store: StoreName;
  /** In order of preference. */
  sources: readonly StoreSource[];
  /** What the user can do when every source has failed. */
  remedy: string;
}
