import { median } from './median.js';

const BLOCK = 20;
/** The share of the blocks that counts; the others may have waited for a core. */
const KEPT = 1 / 4;

export interface PairedSamples {
  baseline: readonly number[];
  measured: readonly number[];
}

/**
 * The samples of a run's quietest blocks: those with the fastest baseline, since other load only adds time. Choosing by
 * the measured value would flatter the result.
 */
export function quietest({ baseline, measured }: PairedSamples): PairedSamples {
  const starts = Array.from({ length: Math.ceil(baseline.length / BLOCK) }, (_, i) => i * BLOCK);
  const blocks = starts.map((start) => ({
    baseline: baseline.slice(start, start + BLOCK),
    measured: measured.slice(start, start + BLOCK),
  }));
  const kept = blocks
    .toSorted((a, b) => median(a.baseline) - median(b.baseline))
    .slice(0, Math.ceil(blocks.length * KEPT));
  return {
    baseline: kept.flatMap((block) => block.baseline),
    measured: kept.flatMap((block) => block.measured),
  };
}
