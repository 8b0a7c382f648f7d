import { expect, it } from 'vitest';
import { faultKinds, faultNames } from './fault-kinds.js';
import { planFaults, type PlannedFault } from './schedule.js';

const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const plan = (seed: number, seconds = 180) => planFaults({ seed, seconds, names: faultNames });
const endOf = ({ atMs, lastsMs }: PlannedFault) => atMs + lastsMs;

it('a seed gives one schedule, another seed another', () => {
  expect(plan(7)).toEqual(plan(7));
  expect(plan(7)).not.toEqual(plan(8));
});

it.each(seeds)('faults of one store, or of the services, never overlap (seed %i)', (seed) => {
  const faults = plan(seed, 600);
  for (const [index, fault] of faults.entries()) {
    const earlier = faults
      .slice(0, index)
      .filter((other) => faultKinds[other.name].on === faultKinds[fault.name].on);
    for (const other of earlier) expect(fault.atMs).toBeGreaterThan(endOf(other));
  }
});

it('some faults of a schedule overlap with one of another store', () => {
  const overlapping = seeds.filter((seed) => {
    const faults = plan(seed);
    return faults.some((fault, index) => index > 0 && fault.atMs < endOf(faults[index - 1] ?? fault));
  });
  expect(overlapping.length).toBeGreaterThan(5);
});

it.each(seeds)(
  'a schedule of the default length has every kind of fault once before any comes again (seed %i)',
  (seed) => {
    const names = plan(seed).map(({ name }) => name);
    const first = names.slice(0, faultNames.length);
    expect(new Set(first).size).toBe(first.length);
    expect(first).toHaveLength(faultNames.length);
  },
);

it.each(seeds)('every fault of a schedule ends before the load does (seed %i)', (seed) => {
  expect(Math.max(...plan(seed, 60).map(endOf))).toBeLessThanOrEqual(56_000);
});

it('a schedule of no kinds has no faults', () => {
  expect(planFaults({ seed: 1, seconds: 60, names: [] })).toEqual([]);
});
