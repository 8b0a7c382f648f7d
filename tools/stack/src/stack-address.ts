import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepAtEnd, removeAtEnd } from './processes/process-guard.js';

export interface StackAddress {
  announce(redisUrl: string): void;
  withdraw(): void;
}

/** Tells the command line where this checkout's stack is; the URL holds a password, so only its owner may read it. */
export function stackAddress(folder: string): StackAddress {
  const file = join(folder, 'stack.json');
  return {
    announce(redisUrl) {
      mkdirSync(folder, { recursive: true });
      rmSync(file, { force: true });
      writeFileSync(file, JSON.stringify({ redisUrl }), { mode: 0o600 });
      removeAtEnd(file, redisUrl);
    },
    withdraw() {
      rmSync(file, { force: true });
      keepAtEnd(file);
    },
  };
}
