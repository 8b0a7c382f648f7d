import { expect, test } from 'vitest';
import { paceOf, withSample, type PaceSample } from './pace.js';

const at = (seconds: number, pages: number, chunks = pages * 10): PaceSample => ({
  atMs: seconds * 1000,
  pages,
  chunks,
});
const collect = (samples: readonly PaceSample[]) => samples.reduce<readonly PaceSample[]>(withSample, []);

test('the pace is that of the pages and chunks finished meanwhile', () => {
  expect(paceOf([at(0, 0), at(10, 20)], 120)).toEqual({ chunksPerSecond: 20, secondsLeft: 50 });
});

test('what is long ago does not count: a slow start is forgotten', () => {
  const samples = collect([at(0, 0), at(60, 1), at(80, 21), at(90, 31)]);
  expect(paceOf(samples, 41)).toEqual({ chunksPerSecond: 10, secondsLeft: 10 });
});

test('there is no pace before there is something to judge from', () => {
  expect(paceOf([], 10)).toBeUndefined();
  expect(paceOf([at(0, 0)], 10)).toBeUndefined();
  expect(paceOf([at(0, 0), at(1, 5)], 10)).toBeUndefined();
});

test('how long it will take is unknown while no page comes to its end', () => {
  expect(paceOf([at(0, 5), at(10, 5)], 10)).toEqual({ chunksPerSecond: 0, secondsLeft: undefined });
});

test('samples that come thick and fast are thinned out', () => {
  const samples = collect(Array.from({ length: 100 }, (_, n) => at(n / 10, n)));
  expect(samples).toHaveLength(20);
});
