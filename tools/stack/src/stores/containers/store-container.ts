import type { StoreName } from '../running-store.js';

/** A store's official image and how it is set up; the counterpart of `StoreProgram` for a Docker engine. */
export interface StoreContainer {
  name: StoreName;
  image: string;
  port: number;
  dataPath: string;
  environment(password: string): Record<string, string>;
  command(password: string): string[];
  url(host: string, port: number, password: string): string;
  probe(url: string): Promise<void>;
}
