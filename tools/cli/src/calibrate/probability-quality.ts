import type { LabelledScore } from './logistic-fit.js';

/** A predicted probability and the true label. */
export interface Prediction {
  probability: number;
  label: boolean;
}

const BINS = 10;

/** Expected calibration error: the mean distance of predicted from true shares, over ten equal bins. */
export function calibrationError(predictions: readonly Prediction[]): number {
  const bins = Array.from({ length: BINS }, () => ({ predicted: 0, true: 0 }));
  for (const { probability, label } of predictions) {
    const bin = bins[Math.min(BINS - 1, Math.floor(probability * BINS))];
    if (!bin) continue;
    bin.predicted += probability;
    bin.true += Number(label);
  }
  // A bin's weight times the distance of its means is the distance of its sums, over all predictions.
  return bins.reduce((sum, bin) => sum + Math.abs(bin.predicted - bin.true), 0) / predictions.length;
}

/** The mean squared distance of predictions from labels. */
export function brierScore(predictions: readonly Prediction[]): number {
  return (
    predictions.reduce((sum, { probability, label }) => sum + (probability - Number(label)) ** 2, 0) /
    predictions.length
  );
}

/** How often an answerable question scores above an unanswerable one; ties count half. */
export function areaUnderCurve(scores: readonly LabelledScore[]): number {
  const positives = scores.filter(({ label }) => label);
  const negatives = scores.filter(({ label }) => !label);
  let won = 0;
  for (const { score } of positives)
    for (const other of negatives) won += score > other.score ? 1 : score === other.score ? 0.5 : 0;
  return won / (positives.length * negatives.length);
}
