/** Cut points have four digits: precise enough for a cosine, readable in a preset file. */
const STEPS = 10_000;

/** The largest cut that at least this share of the scores reaches; never below 0. */
export function largestCutKeeping(share: number, scores: readonly number[]): number {
  const firstKept = scores.toSorted((a, b) => a - b)[wholeCount(1 - share, scores.length)];
  return firstKept === undefined ? 0 : Math.max(0, stepAtOrBelow(firstKept));
}

/** The smallest cut, not under `floor`, that at most this share of the scores reaches. */
export function smallestCutAdmitting(share: number, scores: readonly number[], floor: number): number {
  const firstRefused = scores.toSorted((a, b) => b - a)[wholeCount(share, scores.length)];
  return firstRefused === undefined ? floor : Math.max(floor, stepAbove(firstRefused));
}

/** How many of `count` a share allows; 0.05 × 140 must be 7 whatever the last binary digit says. */
function wholeCount(share: number, count: number): number {
  return Math.floor(share * count + 1e-9);
}

function stepAtOrBelow(score: number): number {
  const nearest = Math.round(score * STEPS);
  return (nearest / STEPS <= score ? nearest : nearest - 1) / STEPS;
}

function stepAbove(score: number): number {
  const nearest = Math.round(score * STEPS);
  return (nearest / STEPS > score ? nearest : nearest + 1) / STEPS;
}
