import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitLogistic, probabilityOf, type LabelledScore } from './logistic-fit.js';

const labelled = (scores: readonly number[], label: boolean): LabelledScore[] =>
  scores.map((score) => ({ score, label }));

const repeated = (count: number, score: number, label: boolean) =>
  labelled(
    Array.from({ length: count }, () => score),
    label,
  );

/** As many labels of each kind at each score as the curve predicts. */
function drawnFrom(slope: number, intercept: number): LabelledScore[] {
  const scores = Array.from({ length: 21 }, (_, i) => i / 20);
  return scores.flatMap((score) => {
    const positives = Math.round(1000 * probabilityOf(score, { slope, intercept }));
    return repeated(positives, score, true).concat(repeated(1000 - positives, score, false));
  });
}

it.each([
  [10, -5],
  [6, -1],
  [-4, 2],
])('the fit recovers the curve that produced the labels: slope %d, intercept %d', (slope, intercept) => {
  const fitted = fitLogistic(drawnFrom(slope, intercept));
  expect(fitted.slope).toBeCloseTo(slope, 0);
  expect(fitted.intercept).toBeCloseTo(intercept, 0);
});

it('the fit is finite for separable scores, and crosses one half between them', () => {
  const apart = [...labelled([0.6, 0.7, 0.8], true), ...labelled([0.2, 0.3, 0.4], false)];
  const curve = fitLogistic(apart);
  expect(Object.values(curve).every(Number.isFinite)).toBe(true);
  expect(probabilityOf(0.4, curve)).toBeLessThan(0.5);
  expect(probabilityOf(0.5, curve)).toBeCloseTo(0.5, 5);
  expect(probabilityOf(0.6, curve)).toBeGreaterThan(0.5);
});

it('the fit predicts the share of answerable questions when all scores are equal', () => {
  const alike = [...repeated(30, 0.5, true), ...repeated(10, 0.5, false)];
  // Platt's targets (31/32 and 1/12) instead of 1 and 0.
  expect(probabilityOf(0.5, fitLogistic(alike))).toBeCloseTo((30 * (31 / 32) + 10 / 12) / 40, 5);
});

it('the predicted probabilities of fitted scores are finite, within 0–1 and monotonic', () => {
  const some = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(some, some, (positive, negative) => {
      const curve = fitLogistic([...labelled(positive, true), ...labelled(negative, false)]);
      const foretold = [0, 0.25, 0.5, 0.75, 1].map((score) => probabilityOf(score, curve));
      for (const probability of foretold) {
        expect(probability).toBeGreaterThanOrEqual(0);
        expect(probability).toBeLessThanOrEqual(1);
      }
      const rising = foretold.toSorted((a, b) => a - b);
      expect([rising, rising.toReversed()]).toContainEqual(foretold);
    }),
  );
});

it('probabilities of extreme scores do not overflow', () => {
  const curve = { slope: 1000, intercept: 0 };
  expect([probabilityOf(-1000, curve), probabilityOf(1000, curve)]).toEqual([0, 1]);
});
