import { expect, it } from 'vitest';
import { secondAndLastQuarter } from './quarters.js';

it('the warm-up and the third quarter do not count', () => {
  expect(secondAndLastQuarter([1, 1, 10, 12, 500, 500, 20, 22])).toEqual({ second: 11, last: 21 });
});

it('a run of one sample did not develop', () => {
  expect(secondAndLastQuarter([5])).toEqual({ second: 5, last: 5 });
});

it('quarters without samples have no figure', () => {
  expect(secondAndLastQuarter([])).toEqual({ second: Number.NaN, last: Number.NaN });
});
