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
 * The highest threshold that keeps 99 % of the relevant passages, and at least one passage for 97.5 % of the in-scope
 * questions: a question without passages cannot be answered, whatever the levels are.
 */
export function fitThreshold({ relevant, bestInScope }: ThresholdEvidence): number {
  return Math.min(
    largestCutKeeping(RELEVANT_KEPT, relevant),
    largestCutKeeping(QUESTIONS_KEPT, bestInScope),
    1,
  );
}
