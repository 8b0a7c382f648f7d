import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { REPOSITORY } from '../repository.js';

/** Printed as a line of JSON. */
export interface MemoryReport {
  heapBytes: number;
  residentBytes: number;
  /** Open TCP connections, those to the stores included. */
  connections: number;
}

const ROUNDS = 3;
const ROUND_MS = 100;

// Runs the built gateway, which on SIGUSR2 prints its memory after a garbage collection.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => void report());

async function report(): Promise<void> {
  // Several: finalizers and closed sockets release memory only after a turn of the event loop.
  for (let round = 0; round < ROUNDS; round += 1) {
    collectGarbage();
    await sleep(ROUND_MS);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const connections = process.getActiveResourcesInfo().filter((type) => type === 'TCPSocketWrap').length;
  const memory: MemoryReport = { heapBytes: heapUsed + external, residentBytes: rss, connections };
  process.stdout.write(`${JSON.stringify(memory)}\n`);
}

await import(pathToFileURL(join(REPOSITORY, 'services/gateway/dist/main.js')).href);
