import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '@quire/stack/stores';
import { note } from '../note.js';
import { spawnNode, type NodeProcess } from '../processes/child-process.js';
import { withPrivateStores, type PrivateStores } from '../processes/private-stores.js';
import type { Figure } from '../report/figure.js';
import type { MemoryReport } from './measured-gateway.js';
import { openStreams } from './stream-client.js';

const MOST_KB_OPEN = 20;
/** Memory that the first streams leave for ever (compiled code, tables that do not shrink), spread over all. */
const MOST_KB_CLOSED = 4;
const WARM_UP = 300;
const LOOK_EVERY_MS = 3000;
const STEADY = 0.99;
const KB = 1024;
/** Runs wait until then, for no worker is there. */
const RUN_DEADLINE_MS = 600_000;

/** What a gateway holds for each stream that is open, and keeps of those that were. */
export function streamMemory(streams: number): Promise<Figure[]> {
  return withPrivateStores(async (stores) => {
    const [port = 0] = await freePorts(1);
    return withMeasuredGateway(stores, port, (gateway) => measure(gateway, port, streams));
  });
}

async function withMeasuredGateway<T>(
  { env }: PrivateStores,
  port: number,
  work: (gateway: NodeProcess) => Promise<T>,
): Promise<T> {
  const settings = { PORT: String(port), RUN_DEADLINE_MS: String(RUN_DEADLINE_MS) };
  const gateway = spawnNode('bench/dist/streams/measured-gateway.js', [], { env: { ...env, ...settings } });
  try {
    await gateway.firstLine((line) => line.includes('"message":"Started"'));
    return await gateway.whileRunning(work(gateway));
  } finally {
    await gateway.stop();
  }
}

async function measure(gateway: NodeProcess, port: number, streams: number): Promise<Figure[]> {
  note(`streams: ${streams} streams, each of another run`);
  const before = await memoryBehind(gateway, await openStreams(port, WARM_UP));
  const few = Math.floor(streams / 4);
  // From a quarter to all: the heap makes room for its first growth in large steps.
  const sockets = await openStreams(port, few);
  const first = await memoryOf(gateway);
  sockets.push(...(await openStreams(port, streams - few)));
  const all = await memoryOf(gateway);
  const after = await memoryBehind(gateway, sockets);
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

/** Closes the connections; returns the memory that is held once the gateway has closed all streams. */
async function memoryBehind(gateway: NodeProcess, sockets: readonly Socket[]): Promise<MemoryReport> {
  const open = await memoryOf(gateway);
  for (const socket of sockets) socket.destroy();
  let least = open;
  for (;;) {
    await sleep(LOOK_EVERY_MS);
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
