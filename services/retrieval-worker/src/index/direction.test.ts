import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunkDiversity } from '../confidence/chunk-diversity.js';
import { directionOf, storedDirection } from './direction.js';

const vector = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 });

it('the cosine of two stored directions is that of their vectors, within 0.01', () => {
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      const bytes = [a, b].map((each) => directionOf(storedDirection(each)));
      expect(Math.abs(chunkDiversity(bytes) - chunkDiversity([a, b]))).toBeLessThan(0.02);
    }),
  );
});

it('the direction of a vector of zeros is zeros', () => {
  expect([...directionOf(storedDirection([0, 0]))]).toEqual([0, 0]);
});
