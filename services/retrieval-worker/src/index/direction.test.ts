import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkDiversity } from '../confidence/chunk-diversity.js';
import { directionOf, storedDirection } from './direction.js';

const vector = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 });

test('a stored direction tells how alike two vectors are as well as the vectors do', () => {
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      const bytes = [a, b].map((each) => directionOf(storedDirection(each)));
      expect(Math.abs(chunkDiversity(bytes) - chunkDiversity([a, b]))).toBeLessThan(0.02);
    }),
  );
});

test('a vector of zeros stays one', () => {
  expect([...directionOf(storedDirection([0, 0]))]).toEqual([0, 0]);
});
