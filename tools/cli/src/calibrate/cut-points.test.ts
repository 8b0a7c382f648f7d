import fc from 'fast-check';
import { expect, it } from 'vitest';
import { largestCutKeeping, smallestCutAdmitting } from './cut-points.js';

const tenths = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });
const shares = fc.constantFrom(0, 0.05, 0.5, 0.95, 0.99, 1);
const STEP = 0.0001;
const reaching = (cut: number, all: readonly number[]) =>
  all.filter((score) => score >= cut).length / all.length;

it.each([
  [1, tenths, 0.1],
  [0.95, tenths, 0.1],
  [0.9, tenths, 0.2],
  [0.5, tenths, 0.6],
  [0.95, Array.from({ length: 40 }, (_, i) => i / 100), 0.02],
  [1, [0.29], 0.29],
  [1, [0.123456], 0.1234],
  [1, [-0.2, 0.5], 0],
  [0.95, [], 0],
])('the largest cut that a share of %d of %j reaches is %d', (share, all, cut) => {
  expect(largestCutKeeping(share, all)).toBe(cut);
});

it('the largest cut keeps its share of the scores, and one step higher would not', () => {
  fc.assert(
    fc.property(
      shares.filter((share) => share > 0),
      scores,
      (share, all) => {
        const cut = largestCutKeeping(share, all);
        expect(reaching(cut, all)).toBeGreaterThanOrEqual(share - 1e-9);
        expect(reaching(cut + 1.0001 * STEP, all)).toBeLessThan(share - 1e-9);
      },
    ),
  );
});

it.each([
  [0, tenths, 0.3, 1.0001],
  [0.1, tenths, 0.3, 0.9001],
  [0.05, tenths, 0.3, 1.0001],
  [0.5, tenths, 0.3, 0.5001],
  [0.5, tenths, 0.7, 0.7],
  [1, tenths, 0.3, 0.3],
  [0, [0.123456], 0, 0.1235],
  [0, [], 0.3, 0.3],
])(
  'the smallest cut that no more than a share of %d of %j reaches, from %d, is %d',
  (share, all, floor, cut) => {
    expect(smallestCutAdmitting(share, all, floor)).toBe(cut);
  },
);

it('the smallest cut admits no more than its share, and one step lower would, unless that is the floor', () => {
  fc.assert(
    fc.property(shares, scores, fc.constantFrom(0, 0.2, 0.7), (share, all, floor) => {
      const cut = smallestCutAdmitting(share, all, floor);
      expect(reaching(cut, all)).toBeLessThanOrEqual(share + 1e-9);
      if (cut > floor) expect(reaching(cut - 1.0001 * STEP, all)).toBeGreaterThan(share);
      else expect(cut).toBe(floor);
    }),
  );
});
