import type { ProcessSpec } from '../processes/guarded-process.js';
import type { StackError } from '../stack-error.js';
import type { StoreName } from './running-store.js';

/** What `launchStore` needs to know to run a store's server. */
export interface StoreProgram {
  name: StoreName;
  /** The first port is the one in the URL. */
  portCount: number;
  process(ports: readonly number[]): Pick<ProcessSpec, 'command' | 'args' | 'cwd' | 'env' | 'input' | 'user'>;
  url(port: number): string;
  /** The secret of a store whose URL cannot hold it. */
  apiKey?: string | undefined;
  /** Rejects while the server is not ready. */
  probe(url: string): Promise<void>;
  /** The user's message for a probe error that waiting cannot fix. */
  refusal?(error: unknown): StackError | undefined;
  /** Log lines that together prove that the probe reached this server, and not another program on its port. */
  announces: readonly RegExp[];
  stopSignal: NodeJS.Signals;
  /** Log lines of an early exit after which another start may succeed. */
  passing?: RegExp;
}
