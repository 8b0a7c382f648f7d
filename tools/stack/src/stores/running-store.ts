import type { ProcessExit } from '../processes/guarded-process.js';

export type StoreName = 'redis' | 'postgres' | 'qdrant';

/** A store that answered its probe: either started by us, or `external` and never stopped by us. */
export interface RunningStore {
  readonly name: StoreName;
  readonly origin: 'external' | 'embedded' | 'container';
  /** Holds the password where the store has one: for environments, not for the screen. */
  readonly url: string;
  /** What clients present to a Qdrant, whose URL cannot hold it: for environments, not for the screen. */
  readonly apiKey?: string | undefined;
  readonly port: number;
  /** The server's process; `undefined` when it does not run as a process of this machine that we started. */
  readonly pid: number | undefined;
  /** Resolves when the store's process has ended, for any reason. Never for an external one. */
  readonly exited: Promise<ProcessExit>;
  lastLogLines(): string[];
  /** Stops gracefully and resolves when it is gone. Idempotent. */
  stop(): Promise<void>;
  /** For fault tests: ends it at once; start it again with the same `dataDir` and `port`. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface StoreOptions {
  /** The folder of the whole stack; each store keeps its data in its own subfolder. */
  dataDir: string;
  /** The folder of fetched and copied programs; `<dataDir>/bin` by default. */
  binDir?: string;
  /** A free port by default. */
  port?: number;
  /** Every line the server prints. */
  log?: (line: string) => void;
  /** What the user should know while they wait, e.g. that something is being fetched. */
  notice?: (line: string) => void;
  /** Read for PATH and DOCKER_HOST; the process's environment by default. */
  env?: NodeJS.ProcessEnv;
  /** Take containers before anything else when a Docker engine answers. */
  preferContainers?: boolean;
  /** Qdrant lets in every process of this machine: for tests and measurements, whose data is made up. */
  withoutQdrantKey?: boolean;
  /** The data need not survive a power cut, only a kill: faster tests. */
  throwaway?: boolean;
}
