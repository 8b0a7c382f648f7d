import type { ProcessSpec } from '../processes/guarded-process.js';
import type { StackError } from '../stack-error.js';
import type { StoreName } from './running-store.js';

/** How a store's server is run as a process of ours: everything `launchStore` needs to know about a technology. */
export interface StoreProgram {
  name: StoreName;
  /** The first port is the one in the URL. */
  portCount: number;
  process(ports: readonly number[]): Pick<ProcessSpec, 'command' | 'args' | 'cwd' | 'env' | 'input' | 'user'>;
  url(port: number): string;
  /** For a store whose URL cannot hold its secret. */
  apiKey?: string | undefined;
  /** Rejects while the server is not ready. */
  probe(url: string): Promise<void>;
  /** The error of a probe that no patience cures, as one for the user. */
  refusal?(error: unknown): StackError | undefined;
  /** Log lines that together prove that our server replied, and not one that held the port before. */
  announces: readonly RegExp[];
  stopSignal: NodeJS.Signals;
  /** Log lines of an early exit that a moment's patience cures. */
  passing?: RegExp;
}
