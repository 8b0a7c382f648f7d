import type { Parameters } from 'fast-check';

const { PROPERTY_SEED = '1', PROPERTY_RUNS = '1' } = process.env;

/**
 * Generates the same texts in each run, so that results are reproducible. `PROPERTY_SEED=random PROPERTY_RUNS=20` tries
 * others, and twenty times as many.
 */
export const propertyRuns = (numRuns: number): Parameters<unknown> => ({
  numRuns: numRuns * Number(PROPERTY_RUNS),
  ...(PROPERTY_SEED !== 'random' && { seed: Number(PROPERTY_SEED) }),
});
