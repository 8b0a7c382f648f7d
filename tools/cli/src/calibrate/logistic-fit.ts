/** The score of a question, and whether the book answers it. */
export interface LabelledScore {
  score: number;
  label: boolean;
}

/** p(answerable | score) = 1 / (1 + exp(−(slope · score + intercept))) */
export interface LogisticCurve {
  slope: number;
  intercept: number;
}

const MOST_STEPS = 100;
const SMALLEST_STEP = 1e-10;
const FLAT = 1e-8;
/** Keeps the Newton step defined when all scores are equal. */
const RIDGE = 1e-12;

export function probabilityOf(score: number, { slope, intercept }: LogisticCurve): number {
  return sigmoid(slope * score + intercept);
}

/**
 * Platt scaling by Newton's method with a line search (Lin, Lin, Weng: A note on Platt's probabilistic outputs for
 * support vector machines, 2007). Targets are slightly above 0 and below 1, so that separable scores have a finite fit.
 */
export function fitLogistic(scores: readonly LabelledScore[]): LogisticCurve {
  const positives = scores.filter(({ label }) => label).length;
  const negatives = scores.length - positives;
  const samples = scores.map(({ score, label }) => ({
    score,
    target: label ? (positives + 1) / (positives + 2) : 1 / (negatives + 2),
  }));
  let curve: LogisticCurve = { slope: 0, intercept: Math.log((positives + 1) / (negatives + 1)) };
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const next = newtonStep(samples, curve);
    if (!next) break;
    curve = next;
  }
  return curve;
}

interface Sample {
  score: number;
  target: number;
}

/** Undefined when the loss no longer falls. */
function newtonStep(samples: readonly Sample[], curve: LogisticCurve): LogisticCurve | undefined {
  let [bySlope, byIntercept, bySlope2, byBoth, byIntercept2] = [0, 0, RIDGE, 0, RIDGE];
  for (const { score, target } of samples) {
    const p = probabilityOf(score, curve);
    const weight = p * (1 - p);
    bySlope += score * (p - target);
    byIntercept += p - target;
    bySlope2 += score * score * weight;
    byBoth += score * weight;
    byIntercept2 += weight;
  }
  if (Math.abs(bySlope) < FLAT && Math.abs(byIntercept) < FLAT) return undefined;
  const determinant = bySlope2 * byIntercept2 - byBoth * byBoth;
  const slopeStep = -(byIntercept2 * bySlope - byBoth * byIntercept) / determinant;
  const interceptStep = -(bySlope2 * byIntercept - byBoth * bySlope) / determinant;
  const before = loss(samples, curve);
  for (let size = 1; size > SMALLEST_STEP; size /= 2) {
    const next = {
      slope: curve.slope + size * slopeStep,
      intercept: curve.intercept + size * interceptStep,
    };
    if (loss(samples, next) < before) return next;
  }
  return undefined;
}

/** Cross entropy; log1p keeps it exact where exp would overflow. */
function loss(samples: readonly Sample[], { slope, intercept }: LogisticCurve): number {
  return samples.reduce((sum, { score, target }) => {
    const logit = slope * score + intercept;
    return sum + Math.max(logit, 0) - target * logit + Math.log1p(Math.exp(-Math.abs(logit)));
  }, 0);
}

function sigmoid(logit: number): number {
  return logit >= 0 ? 1 / (1 + Math.exp(-logit)) : Math.exp(logit) / (1 + Math.exp(logit));
}
