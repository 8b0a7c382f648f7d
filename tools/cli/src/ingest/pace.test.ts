import { expect, it } from 'vitest';
import { paceOf, withSample, type PaceSample } from './pace.js';

const at = (seconds: number, pages: number, chunks = pages * 10): PaceSample => ({
  atMs: seconds * 1000,
  pages,
  chunks,
});
const collect = (samples: readonly PaceSample[]) => samples.reduce<readonly PaceSample[]>(withSample, []);

it('the pace is computed from the pages and chunks finished within the window', () => {
  expect(paceOf([at(0, 0), at(10, 20)], 120)).toEqual({ chunksPerSecond: 20, secondsLeft: 50 });
});

it('the pace ignores what is older than its window: a slow start is forgotten', () => {
  const samples = collect([at(0, 0), at(60, 1), at(80, 21), at(90, 31)]);
  expect(paceOf(samples, 41)).toEqual({ chunksPerSecond: 10, secondsLeft: 10 });
});

it('there is no pace before there are enough samples', () => {
  expect(paceOf([], 10)).toBeUndefined();
  expect(paceOf([at(0, 0)], 10)).toBeUndefined();
  expect(paceOf([at(0, 0), at(1, 5)], 10)).toBeUndefined();
});

it('the time left is unknown while no page is finished', () => {
  expect(paceOf([at(0, 5), at(10, 5)], 10)).toEqual({ chunksPerSecond: 0, secondsLeft: undefined });
});

it('samples that follow each other closely are thinned out', () => {
  const samples = collect(Array.from({ length: 100 }, (_, n) => at(n / 10, n)));
  expect(samples).toHaveLength(20);
});
