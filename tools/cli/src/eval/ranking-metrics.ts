import type { Chunk } from '@quire/shared/contracts';
import { isInSection } from '../golden/expected-section.js';
import type { Needs } from '../golden/golden-question.js';

/** The rank of the first chunk of each expected section, counted from 1; null when no chunk is in it. */
export type SectionRanks = (number | null)[];

/** A question's section ranks, and whether it needs any or all of these sections. */
export interface RankedQuestion {
  ranks: SectionRanks;
  needs: Needs;
}

export function rankSections(
  expected: readonly string[],
  chunks: readonly Pick<Chunk, 'url' | 'anchors'>[],
): SectionRanks {
  return expected.map((section) => {
    const index = chunks.findIndex((chunk) => isInSection(section, chunk));
    return index === -1 ? null : index + 1;
  });
}

/** 1 when an expected section is among the first k, else 0. */
export function hitAt(k: number, { ranks }: RankedQuestion): number {
  return foundWithin(k, ranks).length > 0 ? 1 : 0;
}

/** 1 / the rank of the first expected section; 0 when there is none. */
export function reciprocalRank({ ranks }: RankedQuestion): number {
  const [first] = foundWithin(Infinity, ranks);
  return first === undefined ? 0 : 1 / first;
}

/** How much of what the question needs is among the first k. */
export function recallAt(k: number, { ranks, needs }: RankedQuestion): number {
  const needed = neededCount({ ranks, needs });
  return Math.min(foundWithin(k, ranks).length, needed) / needed;
}

/**
 * Normalised discounted cumulative gain with a gain of 1 for each needed section at its first chunk. Sections that share
 * a chunk count as if they followed one another: two in one chunk are worth as much as two in a row, never more than
 * the ideal.
 */
export function ndcgAt(k: number, { ranks, needs }: RankedQuestion): number {
  const needed = neededCount({ ranks, needs });
  const positions: number[] = [];
  for (const rank of foundWithin(k, ranks).slice(0, needed))
    positions.push(Math.max(rank, (positions.at(-1) ?? 0) + 1));
  const gained = discountedGain(positions.filter((position) => position <= k));
  const ideal = discountedGain(Array.from({ length: Math.min(needed, k) }, (_, i) => i + 1));
  return gained / ideal;
}

function foundWithin(k: number, ranks: SectionRanks): number[] {
  return ranks.filter((rank): rank is number => rank !== null && rank <= k).toSorted((a, b) => a - b);
}

function neededCount({ ranks, needs }: RankedQuestion): number {
  return needs === 'any' ? 1 : ranks.length;
}

function discountedGain(positions: readonly number[]): number {
  return positions.reduce((sum, position) => sum + 1 / Math.log2(position + 1), 0);
}
