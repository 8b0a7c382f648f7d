import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepAtEnd, removeAtEnd } from './processes/process-guard.js';

/** Where gateway and stores are, and what the command line has to know of the index. */
export interface StackAddresses {
  gatewayUrl: string;
  redisUrl: string;
  databaseUrl: string;
  qdrantUrl: string;
  qdrantApiKey?: string;
  collection?: string;
}

export interface StackAddress {
  announce(addresses: StackAddresses): void;
  withdraw(): void;
}

/** Tells the command line where this checkout's stack is; it holds passwords, so only its owner may read it. */
export function stackAddress(folder: string): StackAddress {
  const file = join(folder, 'stack.json');
  return {
    announce(addresses) {
      mkdirSync(folder, { recursive: true });
      rmSync(file, { force: true });
      writeFileSync(file, JSON.stringify(addresses), { mode: 0o600 });
      removeAtEnd(file, addresses.redisUrl);
    },
    withdraw() {
      rmSync(file, { force: true });
      keepAtEnd(file);
    },
  };
}
