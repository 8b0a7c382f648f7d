import { expect, it } from 'vitest';
import { quietest } from './quietest.js';

/** Twenty equal samples for each value. */
const blocks = (...values: number[]) => values.flatMap((value) => Array.from({ length: 20 }, () => value));

it('the quietest quarter of a run is that with the fastest baseline', () => {
  const samples = { baseline: blocks(9, 5, 8, 7), measured: blocks(10, 30, 9, 8) };
  expect(quietest(samples)).toEqual({ baseline: blocks(5), measured: blocks(30) });
});

it('the quietest part of a short run is the whole run', () => {
  expect(quietest({ baseline: [1, 2], measured: [3, 4] })).toEqual({ baseline: [1, 2], measured: [3, 4] });
});

it('the quietest part of no samples is empty', () => {
  expect(quietest({ baseline: [], measured: [] })).toEqual({ baseline: [], measured: [] });
});
