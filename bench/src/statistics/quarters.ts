import { median } from './median.js';

/**
 * The growth over a run: the medians of its second and its last quarter. The first one is the warm-up, in which pools
 * fill and code is compiled.
 */
export function secondAndLastQuarter(samples: readonly number[]): { second: number; last: number } {
  const quarter = samples.length / 4;
  const part = (from: number, to: number) =>
    samples.slice(Math.floor(quarter * from), Math.ceil(quarter * to));
  return { second: median(part(1, 2)), last: median(part(3, 4)) };
}
