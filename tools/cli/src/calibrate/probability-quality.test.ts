import fc from 'fast-check';
import { expect, it } from 'vitest';
import { areaUnderCurve, brierScore, calibrationError } from './probability-quality.js';

const predictions = (...pairs: [number, boolean][]) =>
  pairs.map(([probability, label]) => ({ probability, label }));
const scores = (positive: number[], negative: number[]) => [
  ...positive.map((score) => ({ score, label: true })),
  ...negative.map((score) => ({ score, label: false })),
];

it.each([
  ['of perfect predictions is 0', predictions([1, true], [1, true], [0, false]), 0],
  ['of predictions that are always wrong is 1', predictions([0, true], [1, false]), 1],
  [
    'is 0 where three of four come true as predicted',
    predictions([0.75, true], [0.75, true], [0.75, true], [0.75, false]),
    0,
  ],
  // Bin 0.9–1: predicted 0.95, true 0.5, weight 2/3; bin 0.2–0.3: predicted 0.2, true 0, weight 1/3.
  [
    'is the mean distance of the bins, by their weight',
    predictions([0.95, true], [0.95, false], [0.2, false]),
    0.3 + 0.2 / 3,
  ],
  ['does not let one bin make up for another', predictions([0.05, true], [0.95, false]), 0.95],
  ['lets predictions of one bin make up for each other', predictions([0.51, false], [0.51, true]), 0.01],
])('the expected calibration error %s', (_, all, error) => {
  expect(calibrationError(all)).toBeCloseTo(error, 10);
});

it.each([
  ['of perfect predictions is 0', predictions([1, true], [0, false]), 0],
  ['of a coin is a quarter', predictions([0.5, true], [0.5, false]), 0.25],
  ['is the mean squared distance', predictions([0.8, true], [0.4, false]), 0.1],
])('the Brier score %s', (_, all, score) => {
  expect(brierScore(all)).toBeCloseTo(score, 10);
});

it.each([
  ['of scores that a cut separates is 1', [0.6, 0.9], [0.1, 0.5], 1],
  ['of scores the wrong way round is 0', [0.1], [0.5], 0],
  ['counts ties half', [0.5], [0.5], 0.5],
  ['is the share of pairs in the right order', [0.3, 0.8], [0.2, 0.5], 0.75],
])('the area under the curve %s', (_, positive, negative, area) => {
  expect(areaUnderCurve(scores(positive, negative))).toBeCloseTo(area, 10);
});

it('all quality figures lie within 0–1, and the area does not depend on the scale of the scores', () => {
  const some = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(some, some, (positive, negative) => {
      const all = scores(positive, negative);
      const predicted = all.map(({ score, label }) => ({ probability: score, label }));
      for (const figure of [calibrationError(predicted), brierScore(predicted), areaUnderCurve(all)]) {
        expect(figure).toBeGreaterThanOrEqual(0);
        expect(figure).toBeLessThanOrEqual(1 + 1e-12);
      }
      const doubled = all.map(({ score, label }) => ({ score: 2 * score, label }));
      expect(areaUnderCurve(doubled)).toBe(areaUnderCurve(all));
    }),
  );
});
