import { expect, it } from 'vitest';
import { quietest } from './quietest.js';

/** Twenty equal samples for each value. */
const blocks = (...values: number[]) => values.flatMap((value) => Array.from({ length: 20 }, () => value));

it('the quarter of a run with the fastest baseline counts, with the measurements beside it', () => {
  const samples = { baseline: blocks(9, 5, 8, 7), measured: blocks(10, 30, 9, 8) };
  expect(quietest(samples)).toEqual({ baseline: blocks(5), measured: blocks(30) });
});

it('a short run counts as a whole', () => {
  expect(quietest({ baseline: [1, 2], measured: [3, 4] })).toEqual({ baseline: [1, 2], measured: [3, 4] });
});

it('a run without samples has no quietest quarter', () => {
  expect(quietest({ baseline: [], measured: [] })).toEqual({ baseline: [], measured: [] });
});
