import { seededRandom, type Random } from '@quire/testkit/random';
import { faultKinds, type FaultName } from './fault-kinds.js';

export interface PlannedFault {
  name: FaultName;
  /** From the start of the load. */
  atMs: number;
  lastsMs: number;
  /** The index of the service, modulo their number. */
  victim: number;
}

export interface SchedulePlan {
  seed: number;
  seconds: number;
  names: readonly FaultName[];
}

const FIRST_MS = 2000;
/** The time after the last fault, in which its effects show. */
const LAST_MS = 4000;
const GAP_MS = [2000, 5000] as const;
const OVERLAP_MS = [500, 1500] as const;
/** One in this many faults begins while the one before it lasts. */
const OVERLAPS_ONE_IN = 4;
const VICTIMS = 1000;

/** Plans the same faults for the same seed. Each kind comes once before any comes again. */
export function planFaults({ seed, seconds, names }: SchedulePlan): PlannedFault[] {
  const random = seededRandom(seed);
  const planned: PlannedFault[] = [];
  let waiting: FaultName[] = [];
  let atMs = FIRST_MS;
  for (;;) {
    if (waiting.length === 0) waiting = shuffled(names, random);
    const [name] = waiting.splice(0, 1);
    if (!name) return planned;
    const lastsMs = between(faultKinds[name].lastsMs, random);
    const beginsMs = Math.max(atMs, freeAt(name, planned));
    if (beginsMs + lastsMs > seconds * 1000 - LAST_MS) return planned;
    planned.push({ name, atMs: beginsMs, lastsMs, victim: random.integer(VICTIMS) });
    const overlaps = random.integer(OVERLAPS_ONE_IN) === 0;
    atMs = overlaps ? beginsMs + between(OVERLAP_MS, random) : endOf(planned) + between(GAP_MS, random);
  }
}

function freeAt(name: FaultName, planned: readonly PlannedFault[]): number {
  const same = planned.filter((fault) => faultKinds[fault.name].on === faultKinds[name].on);
  return same.length === 0 ? 0 : endOf(same) + GAP_MS[0];
}

function endOf(planned: readonly PlannedFault[]): number {
  return Math.max(...planned.map(({ atMs, lastsMs }) => atMs + lastsMs));
}

function between([least, most]: readonly [number, number], random: Random): number {
  return least + random.integer(most - least + 1);
}

function shuffled(names: readonly FaultName[], random: Random): FaultName[] {
  const left = [...names];
  return names.flatMap(() => left.splice(random.integer(left.length), 1));
}
