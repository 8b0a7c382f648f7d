import type { Needs } from '../golden/golden-question.js';
import type { SectionRanks } from './section-ranks.js';

/** What is known of a question once it was asked: the rank of each section that it expects, of which it needs some. */
export interface RankedQuestion {
  ranks: SectionRanks;
  needs: Needs;
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
 * Normalised discounted cumulative gain with a gain of 1 for each needed section, where it comes up first. Sections
 * that share a chunk count as if they followed one another, so that finding two at once is neither worth less than
 * finding them in a row nor more than the ideal.
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
