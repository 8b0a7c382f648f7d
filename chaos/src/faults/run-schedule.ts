import { setTimeout as sleep } from 'node:timers/promises';
import { note } from '../note.js';
import type { World } from '../world/world.js';
import { faultKinds, type FaultName, type FaultTarget } from './fault-kinds.js';
import { faults } from './faults.js';
import type { PlannedFault } from './schedule.js';

/** A fault with its real times: injecting and clearing may take long. */
export interface PastFault {
  name: FaultName;
  /** Epoch milliseconds. */
  begunAt: number;
  endedAt: number;
}

/** Injects and clears every fault of the plan at its time. Resolves when the last one is cleared. */
export async function runSchedule(world: World, plan: readonly PlannedFault[]): Promise<PastFault[]> {
  const startedAt = Date.now();
  const busy = new Map<FaultTarget, Promise<unknown>>();
  const running = plan.map(async (planned) => {
    await sleep(startedAt + planned.atMs - Date.now());
    const { on } = faultKinds[planned.name];
    // Clearing may take longer than planned; the next fault of the same target waits for it.
    const mine = (busy.get(on) ?? Promise.resolve()).then(() => runFault(world, planned));
    busy.set(on, mine);
    return mine;
  });
  const settled = await Promise.allSettled(running);
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

async function runFault(world: World, { name, lastsMs, victim }: PlannedFault): Promise<PastFault> {
  const begunAt = Date.now();
  note(`  ${name}`);
  await faults[name].inject(world, victim);
  await sleep(begunAt + lastsMs - Date.now());
  await faults[name].clear(world, victim);
  const endedAt = Date.now();
  note(`  ${name} cleared after ${((endedAt - begunAt) / 1000).toFixed(1)} s`);
  return { name, begunAt, endedAt };
}
