import { expect, it } from 'vitest';
import { mean, median } from './median.js';

it.each([
  [[7], 7],
  [[10, 9, 2], 9],
  [[1, 100, 2, 3], 2.5],
  [[], Number.NaN],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

it('the median leaves its values in their order', () => {
  const values = [3, 1, 2];
  median(values);
  expect(values).toEqual([3, 1, 2]);
});

it('the mean of no values is NaN', () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(mean([])).toBeNaN();
});
