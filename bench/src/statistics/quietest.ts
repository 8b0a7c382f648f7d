import { median } from './median.js';

const BLOCK = 20;
/** Of the blocks; the rest may have waited for a core. */
const KEPT = 1 / 4;

export interface PairedSamples {
  baseline: readonly number[];
  measured: readonly number[];
}

/**
 * The samples of a run's quietest stretches, judged by the baseline alone: a busy machine only ever adds time, and
 * choosing by the measured value would flatter the result.
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
