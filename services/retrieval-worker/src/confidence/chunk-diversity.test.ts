import { expect, it } from 'vitest';
import { chunkDiversity } from './chunk-diversity.js';

it.each([
  ['no passage', [], 0],
  ['a single passage', [[1, 0]], 0],
  [
    'identical passages',
    [
      [1, 0],
      [1, 0],
    ],
    0,
  ],
  [
    'passages alike but for their length',
    [
      [1, 0],
      [7, 0],
    ],
    0,
  ],
  [
    'unrelated passages',
    [
      [1, 0],
      [0, 1],
    ],
    1,
  ],
  [
    'opposite passages, clamped',
    [
      [1, 0],
      [-1, 0],
    ],
    1,
  ],
  [
    'two alike and one unrelated',
    [
      [1, 0],
      [1, 0],
      [0, 1],
    ],
    2 / 3,
  ],
  [
    'a passage without content',
    [
      [1, 0],
      [0, 0],
    ],
    1,
  ],
])('the diversity of %s is as expected: %j', (_, vectors, diversity) => {
  expect(chunkDiversity(vectors)).toBeCloseTo(diversity);
});
