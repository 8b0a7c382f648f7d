import type { StackError } from '../../stack-error.js';
import type { StoreName } from '../running-store.js';

/** A store's official image and how it is set up; the counterpart of `StoreProgram` for a Docker engine. */
export interface StoreContainer {
  name: StoreName;
  image: string;
  port: number;
  dataPath: string;
  /** A container's secrets go here: every user of the machine can read the command lines of its processes. */
  environment(secret: string): Record<string, string>;
  command: readonly string[];
  /** Whether clients present the secret as an API key; otherwise it is in the URL. */
  takesApiKey?: boolean;
  url(host: string, port: number, secret: string): string;
  /** The user's message for a probe error that waiting cannot fix. */
  refusal?(error: unknown, dataDir: string, volume: string): StackError | undefined;
  probe(url: string, secret: string): Promise<void>;
}
