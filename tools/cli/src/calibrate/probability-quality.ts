import type { LabelledScore } from './logistic-fit.js';

/** A probability that was foretold, and what came true. */
export interface Prediction {
  probability: number;
  label: boolean;
}

const BINS = 10;

/** Expected calibration error: how far, on average, what was foretold lies from what came true, over ten equal bins. */
export function calibrationError(predictions: readonly Prediction[]): number {
  const bins = Array.from({ length: BINS }, () => ({ foretold: 0, true: 0 }));
  for (const { probability, label } of predictions) {
    const bin = bins[Math.min(BINS - 1, Math.floor(probability * BINS))];
    if (!bin) continue;
    bin.foretold += probability;
    bin.true += Number(label);
  }
  // A bin's weight times the distance of its means is the distance of its sums, over all predictions.
  return bins.reduce((sum, bin) => sum + Math.abs(bin.foretold - bin.true), 0) / predictions.length;
}

/** The mean squared distance of what was foretold from what came true. */
export function brierScore(predictions: readonly Prediction[]): number {
  return (
    predictions.reduce((sum, { probability, label }) => sum + (probability - Number(label)) ** 2, 0) /
    predictions.length
  );
}

/** How often a score of an answerable question lies above one of another; ties count half. */
export function areaUnderCurve(scores: readonly LabelledScore[]): number {
  const positives = scores.filter(({ label }) => label);
  const negatives = scores.filter(({ label }) => !label);
  let won = 0;
  for (const { score } of positives)
    for (const other of negatives) won += score > other.score ? 1 : score === other.score ? 0.5 : 0;
  return won / (positives.length * negatives.length);
}
