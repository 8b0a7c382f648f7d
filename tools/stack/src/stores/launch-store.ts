import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnGuarded, type GuardedProcess, type ProcessExit } from '../processes/guarded-process.js';
import { endLeftovers } from '../processes/process-record.js';
import { describeExit, EarlyExit } from './early-exit.js';
import { freePorts } from './free-port.js';
import type { RunningStore, StoreOptions } from './running-store.js';
import type { StoreProgram } from './store-program.js';

const START_LIMIT_MS = 60_000;
const PROBE_EVERY_MS = 25;
const ATTEMPTS = 10;
const PATIENCE_MS = 300;
/** A start that takes longer than this says what it waits for. */
const SILENCE_LIMIT_MS = 5000;
/** A server without the expected lines counts as ready after this; a busy one may take seconds to find its port taken. */
const ANNOUNCEMENT_LIMIT_MS = 20_000;
const GRACE_MS = 10_000;
/** Short, since throwaway data survives a kill and Qdrant would wait for idle connections. */
const THROWAWAY_GRACE_MS = 1_000;

/** Starts a store's server and resolves when it responds; if another program takes the port first, chooses another. */
export async function launchStore(program: StoreProgram, options: StoreOptions): Promise<RunningStore> {
  const runDir = join(options.dataDir, 'run');
  await endLeftovers(runDir, program.name);
  for (let attempt = 1; ; attempt += 1) {
    const ports = await choosePorts(program.portCount, options.port);
    const child = await spawnGuarded({
      ...program.process(ports),
      label: program.name,
      role: 'store',
      runDir,
      stopSignal: program.stopSignal,
      graceMs: options.throwaway ? THROWAWAY_GRACE_MS : GRACE_MS,
      onLine: options.log,
    });
    const [port = 0] = ports;
    const url = program.url(port);
    try {
      await untilReady(program, child, url, options.notice);
      return runningStore(program, child, url, port);
    } catch (error) {
      await child.end();
      if (!(error instanceof EarlyExit) || attempt >= ATTEMPTS) throw error;
      const passing = program.passing?.test(error.lines.join('\n')) ?? false;
      if (passing) await sleep(PATIENCE_MS);
      else if (!error.portTaken || options.port !== undefined) throw error;
    }
  }
}

async function choosePorts(count: number, fixed: number | undefined): Promise<number[]> {
  return fixed === undefined ? await freePorts(count) : [fixed, ...(await freePorts(count - 1))];
}

async function untilReady(
  program: StoreProgram,
  child: GuardedProcess,
  url: string,
  notice: StoreOptions['notice'],
): Promise<void> {
  const started = Date.now();
  let exit: ProcessExit | undefined;
  let repliedAt: number | undefined;
  let noticed = false;
  const gone = child.exited.then((reason) => (exit = reason));
  // Another program may hold the port and reply, while the started server is about to exit because of that.
  const isOurs = () =>
    hasAnnounced(program, child) || Date.now() - (repliedAt ?? Date.now()) > ANNOUNCEMENT_LIMIT_MS;
  while (Date.now() - started < START_LIMIT_MS) {
    const probed = program.probe(url).then(
      () => undefined,
      (error: Error) => error,
    );
    const failure = await Promise.race([probed, gone.then(() => undefined)]);
    if (exit) throw new EarlyExit(program.name, describeExit(exit), child.lastLines());
    const refusal = failure && program.refusal?.(failure);
    if (!failure || refusal) repliedAt ??= Date.now();
    if (refusal && isOurs()) throw refusal;
    if (!failure && isOurs()) return;
    if (failure && !noticed && Date.now() - started > SILENCE_LIMIT_MS) {
      noticed = true;
      notice?.(`Still waiting for ${program.name}: ${failure.message || failure.name}`);
    }
    await Promise.race([gone, sleep(PROBE_EVERY_MS)]);
  }
  throw new EarlyExit(program.name, `did not answer within ${START_LIMIT_MS / 1000} s`, child.lastLines());
}

function hasAnnounced({ announces }: StoreProgram, child: GuardedProcess): boolean {
  const lines = child.lastLines();
  return announces.every((announcement) => lines.some((line) => announcement.test(line)));
}

function runningStore(program: StoreProgram, child: GuardedProcess, url: string, port: number): RunningStore {
  return {
    name: program.name,
    origin: 'embedded',
    url,
    apiKey: program.apiKey,
    port,
    pid: child.pid,
    exited: child.exited,
    lastLogLines: () => child.lastLines(),
    stop: () => child.end(),
    kill: (signal) => child.kill(signal),
  };
}
