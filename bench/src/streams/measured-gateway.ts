import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { REPOSITORY } from '../repository.js';

/** A line of standard output. */
export interface MemoryReport {
  heapBytes: number;
  residentBytes: number;
  /** Of clients and stores. */
  connections: number;
}

const ROUNDS = 3;
const ROUND_MS = 100;

// The real gateway; on this signal it prints the memory that it holds after a garbage collection.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => void report());

async function report(): Promise<void> {
  // What one collection frees may have held on to more, and sockets are closed between two turns of the event loop.
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
