import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '@quire/stack/stores';
import { note } from '../note.js';
import type { NodeProcess } from '../processes/child-process.js';
import { withPrivateStores } from '../processes/private-stores.js';
import { withService } from '../processes/service.js';
import type { Figure } from '../report/figure.js';
import type { MemoryReport } from './measured-gateway.js';
import { openStreams } from './stream-client.js';

const MOST_KB_OPEN = 20;
/** What the first streams leave for ever (compiled code, tables that do not shrink), divided by all streams. */
const MOST_KB_CLOSED = 4;
const WARM_UP = 300;
const SAMPLE_EVERY_MS = 3000;
const STEADY = 0.99;
const KB = 1024;
/** Longer than the benchmark: there is no worker, so all runs stay in the queue. */
const RUN_DEADLINE_MS = 600_000;

/** Measures a gateway's memory per open stream, and what is left of it per closed one. */
export function streamMemory(streams: number): Promise<Figure[]> {
  return withPrivateStores(async (stores) => {
    const [port = 0] = await freePorts(1);
    const settings = { PORT: String(port), RUN_DEADLINE_MS: String(RUN_DEADLINE_MS) };
    return withService('bench/dist/streams/measured-gateway.js', stores, settings, (gateway) =>
      measure(gateway, port, streams),
    );
  });
}

async function measure(gateway: NodeProcess, port: number, streams: number): Promise<Figure[]> {
  note(`streams: ${streams} streams, each of another run`);
  const before = await memoryAfterClosing(gateway, await openStreams(port, WARM_UP));
  const few = Math.floor(streams / 4);
  // Measured from a quarter of the streams on: at first the heap grows in large steps.
  const sockets = await openStreams(port, few);
  const first = await memoryOf(gateway);
  sockets.push(...(await openStreams(port, streams - few)));
  const all = await memoryOf(gateway);
  const after = await memoryAfterClosing(gateway, sockets);
  const figure = (what: string, bytes: number, count: number) => ({
    what: `streams: ${what}`,
    unit: 'KB',
    measured: bytes / count / KB,
    samples: count,
  });
  const open = { bar: { atMost: MOST_KB_OPEN, of: 'value' } } as const;
  const closed = { bar: { atMost: MOST_KB_CLOSED, of: 'value' } } as const;
  const added = streams - few;
  return [
    { ...figure('heap and buffers of an open stream', all.heapBytes - first.heapBytes, added), ...open },
    {
      ...figure('resident memory of an open stream', all.residentBytes - first.residentBytes, added),
      ...open,
    },
    {
      ...figure('heap and buffers of a closed stream', after.heapBytes - before.heapBytes, streams),
      ...closed,
    },
    figure('resident memory of a closed stream', after.residentBytes - before.residentBytes, streams),
  ];
}

/** Closes the connections; returns the memory in use once the gateway has closed all streams. */
async function memoryAfterClosing(gateway: NodeProcess, sockets: readonly Socket[]): Promise<MemoryReport> {
  const open = await memoryOf(gateway);
  for (const socket of sockets) socket.destroy();
  let least = open;
  for (;;) {
    await sleep(SAMPLE_EVERY_MS);
    const memory = await memoryOf(gateway);
    const isFreeing = memory.heapBytes < least.heapBytes * STEADY;
    if (memory.connections <= open.connections - sockets.length && !isFreeing) return memory;
    if (isFreeing) least = memory;
  }
}

async function memoryOf(gateway: NodeProcess): Promise<MemoryReport> {
  const line = gateway.firstLine((text) => text.startsWith('{"heapBytes"'));
  process.kill(gateway.pid, 'SIGUSR2');
  return JSON.parse(await line) as MemoryReport;
}
