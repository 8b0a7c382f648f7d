import { expect, it } from 'vitest';
import { secondAndLastQuarter } from './quarters.js';

it('a run is summarised by its second and last quarter alone', () => {
  expect(secondAndLastQuarter([1, 1, 10, 12, 500, 500, 20, 22])).toEqual({ second: 11, last: 21 });
});

it('a run of one sample has equal quarters', () => {
  expect(secondAndLastQuarter([5])).toEqual({ second: 5, last: 5 });
});

it('the quarters of no samples are NaN', () => {
  expect(secondAndLastQuarter([])).toEqual({ second: Number.NaN, last: Number.NaN });
});
