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
import { settle } from './verdict/settle.js';
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
}

/** Faults end some time before the load, so that each is followed by questions that tell of the recovery. */
const AFTERMATH_MS = 3000;

/** Runs the product under load and faults, and compares what its clients saw with what it holds. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const schedule = planFaults({ ...options, names: options.faults });
  note(`Seed ${options.seed}, ${options.seconds} s, ${options.clients} clients, ${schedule.length} faults:`);
  note(scheduleText(schedule));
  return keepingLogs(async (logFolder) => {
    const ledger = new ProcessLedger();
    const world = await startWorld(logFolder, ledger);
    let judged: Omit<ChaosReport, 'leaked'>;
    try {
      judged = await judgeLoad(world, options, schedule);
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
  note('Waiting for what is still under way …');
  const { redis, postgres } = world.stores;
  const leftUnderWay = await settle(redis.url, postgres.url);
  const stored = await readStored(postgres.url);
  const offences = judgeAll(views, stored, past);
  const faults = summariseFaults(past, views);
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
    leftUnderWay,
    unexpectedEnds: Object.values(world.services)
      .flat()
      .reduce((sum, service) => sum + service.unexpectedEnds, 0),
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
