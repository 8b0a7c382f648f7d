import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientView } from './clients/client-view.js';
import { runClients } from './clients/run-clients.js';
import type { FaultName } from './faults/fault-kinds.js';
import { runSchedule, type PastFault } from './faults/run-schedule.js';
import { planFaults } from './faults/schedule.js';
import { note } from './note.js';
import { keepingLogs } from './report/keep-logs.js';
import type { ChaosReport } from './report/report.js';
import { scheduleText } from './report/report-text.js';
import { judgeAll } from './verdict/judge-all.js';
import { readStored } from './verdict/read-stored.js';
import { summariseFaults } from './verdict/recovery.js';
import { waitUntilIdle } from './verdict/wait-until-idle.js';
import { findTakeovers, lateTakeovers } from './verdict/takeovers.js';
import { countTotals } from './verdict/totals.js';
import { ProcessLedger } from './world/process-ledger.js';
import { startWorld } from './world/start-world.js';
import type { World } from './world/world.js';

export type { ChaosReport } from './report/report.js';
export { reportText } from './report/report-text.js';

export interface ChaosOptions {
  seed: number;
  seconds: number;
  clients: number;
  faults: readonly FaultName[];
  /** Ends the run early: everything is stopped, and nothing is judged. */
  signal?: AbortSignal;
}

/** Faults end some time before the load, so that questions after each fault show the recovery. */
const AFTERMATH_MS = 3000;
const AGENTS = 2;
/** Fewer runs than clients are executed at a time: some always wait in the queue, where a wiped Redis loses them. */
const CLIENTS_PER_PLACE = 1.6;

/** Runs the product under load and faults, and compares what its clients received with what Postgres holds. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const schedule = planFaults({ ...options, names: options.faults });
  note(`Seed ${options.seed}, ${options.seconds} s, ${options.clients} clients, ${schedule.length} faults:`);
  note(scheduleText(schedule));
  return keepingLogs(options.signal, async (logFolder) => {
    const ledger = new ProcessLedger();
    const agentConcurrency = Math.ceil(options.clients / CLIENTS_PER_PLACE / AGENTS);
    const world = await startWorld({ logFolder, ledger, agentConcurrency });
    let judged: Omit<ChaosReport, 'leaked'>;
    try {
      judged = await unlessAborted(options.signal, judgeLoad(world, options, schedule));
    } finally {
      await world.stop();
    }
    return { ...judged, leaked: ledger.alive() };
  });
}

async function judgeLoad(
  world: World,
  options: ChaosOptions,
  schedule: ChaosReport['schedule'],
): Promise<Omit<ChaosReport, 'leaked'>> {
  const { views, past } = await loadUnderFaults(world, options, schedule);
  note('Waiting for unfinished runs and jobs …');
  const { redis, postgres } = world.stores;
  const leftUnderWay = await waitUntilIdle(redis.url, postgres.url);
  const stored = await readStored(postgres.url);
  const offences = judgeAll(views, stored, past);
  const takeovers = findTakeovers({ past, views, stalledRuns: world.stalledRuns });
  const faults = summariseFaults(past, views, takeovers);
  const recoveries = faults.flatMap(({ slowestRecoveryMs }) => slowestRecoveryMs ?? []);
  return {
    seed: options.seed,
    seconds: options.seconds,
    clients: options.clients,
    schedule,
    faults,
    totals: countTotals(views, stored, offences),
    slowestRecoveryMs: recoveries.length === 0 ? undefined : Math.max(...recoveries),
    offences,
    lateTakeovers: lateTakeovers(takeovers),
    leftUnderWay,
    unexpectedEnds: Object.values(world.services)
      .flat()
      .flatMap(({ unexpectedEnds }) => unexpectedEnds),
  };
}

async function loadUnderFaults(
  world: World,
  { seed, seconds, clients }: ChaosOptions,
  schedule: ChaosReport['schedule'],
): Promise<{ views: ClientView[]; past: PastFault[] }> {
  const over = new AbortController();
  const load = runClients({ gatewayUrls: world.gatewayUrls, clients, seed, over: over.signal });
  try {
    const [past] = await Promise.all([faultsAndAftermath(world, schedule), sleep(seconds * 1000)]);
    over.abort();
    note('Faults are over, clients finish their questions …');
    return { views: await load, past };
  } finally {
    over.abort();
    await load.catch(() => {});
  }
}

async function faultsAndAftermath(world: World, schedule: ChaosReport['schedule']): Promise<PastFault[]> {
  const past = await runSchedule(world, schedule);
  await sleep(AFTERMATH_MS);
  return past;
}

async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  return Promise.race([work, aborted]);
}
