import type { ProcessExit } from '../processes/guarded-process.js';

export type StoreName = 'redis' | 'postgres' | 'qdrant';

/** A store whose probe succeeded: started by the stack, or `external` and never stopped by it. */
export interface RunningStore {
  readonly name: StoreName;
  readonly origin: 'external' | 'embedded' | 'container';
  /** May hold a password: pass it on in environments, do not print it. */
  readonly url: string;
  /** The key of a Qdrant, whose URL cannot hold it; do not print it. */
  readonly apiKey?: string | undefined;
  readonly port: number;
  /** The server's process; undefined for containers and external stores. */
  readonly pid: number | undefined;
  /** Resolves when the store's process has ended, for any reason; never for an external store. */
  readonly exited: Promise<ProcessExit>;
  lastLogLines(): string[];
  /** Stops gracefully and resolves when it is gone. Idempotent. */
  stop(): Promise<void>;
  /** Ends the server at once, for fault tests; start it again with the same `dataDir` and `port`. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface StoreOptions {
  /** The folder of the whole stack; each store keeps its data in its own subfolder. */
  dataDir: string;
  /** The folder of fetched and copied programs; `<dataDir>/bin` by default. */
  binDir?: string;
  /** A free port by default. */
  port?: number;
  /** Called with each line that the server prints. */
  log?: (line: string) => void;
  /** Called with what the user should know while waiting, e.g. that a program is being fetched. */
  notice?: (line: string) => void;
  /** Holds PATH and DOCKER_HOST; the process's environment by default. */
  env?: NodeJS.ProcessEnv;
  /** Use containers if a Docker engine responds, even if programs are installed. */
  preferContainers?: boolean;
  /** Qdrant needs no key: for tests and benchmarks. */
  withoutQdrantKey?: boolean;
  /** The data survives a kill, but no power failure: faster tests. */
  throwaway?: boolean;
}
