import { largestCutKeeping } from './cut-points.js';

const RELEVANT_KEPT = 0.99;
const QUESTIONS_KEPT = 0.975;

export interface ThresholdEvidence {
  /** Similarities of the passages that belong to an expected section. */
  relevant: readonly number[];
  /** The best similarity of each in-scope question, relevant or not. */
  bestInScope: readonly number[];
}

/**
 * As high as it can be while 99 % of the relevant passages and some passage for 97.5 % of the in-scope questions stay:
 * a question whose passages are all left out could not be answered whatever the levels say.
 */
export function fitThreshold({ relevant, bestInScope }: ThresholdEvidence): number {
  return Math.min(
    largestCutKeeping(RELEVANT_KEPT, relevant),
    largestCutKeeping(QUESTIONS_KEPT, bestInScope),
    1,
  );
}
