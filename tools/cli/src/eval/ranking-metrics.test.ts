import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Needs } from '../golden/golden-question.js';
import {
  hitAt,
  ndcgAt,
  rankSections,
  recallAt,
  reciprocalRank,
  type SectionRanks,
} from './ranking-metrics.js';

/** 1 / log2(position + 1) */
const gain = { 1: 1, 2: 0.63093, 3: 0.5, 4: 0.430677, 10: 0.289065 };

it.each<[Needs, SectionRanks, { hit3: number; mrr: number; recall10: number; ndcg10: number }]>([
  ['any', [1], { hit3: 1, mrr: 1, recall10: 1, ndcg10: 1 }],
  ['any', [3], { hit3: 1, mrr: 1 / 3, recall10: 1, ndcg10: gain[3] }],
  ['any', [4], { hit3: 0, mrr: 1 / 4, recall10: 1, ndcg10: gain[4] }],
  ['any', [null], { hit3: 0, mrr: 0, recall10: 0, ndcg10: 0 }],
  ['any', [11], { hit3: 0, mrr: 1 / 11, recall10: 0, ndcg10: 0 }],
  // Any one section is the whole answer: a second one changes nothing.
  ['any', [2, 1], { hit3: 1, mrr: 1, recall10: 1, ndcg10: 1 }],
  ['any', [null, 2], { hit3: 1, mrr: 1 / 2, recall10: 1, ndcg10: gain[2] }],
  ['all', [2, 1], { hit3: 1, mrr: 1, recall10: 1, ndcg10: 1 }],
  ['all', [1, null], { hit3: 1, mrr: 1, recall10: 1 / 2, ndcg10: 1 / (1 + gain[2]) }],
  ['all', [4, 1], { hit3: 1, mrr: 1, recall10: 1, ndcg10: (1 + gain[4]) / (1 + gain[2]) }],
  ['all', [10, 12], { hit3: 0, mrr: 1 / 10, recall10: 1 / 2, ndcg10: gain[10] / (1 + gain[2]) }],
  [
    'all',
    [null, null, 2],
    { hit3: 1, mrr: 1 / 2, recall10: 1 / 3, ndcg10: gain[2] / (1 + gain[2] + gain[3]) },
  ],
  // Two sections in one chunk are as good as two chunks in a row.
  ['all', [1, 1], { hit3: 1, mrr: 1, recall10: 1, ndcg10: 1 }],
  ['all', [2, 2], { hit3: 1, mrr: 1 / 2, recall10: 1, ndcg10: (gain[2] + gain[3]) / (1 + gain[2]) }],
  ['all', [1, 1, 2], { hit3: 1, mrr: 1, recall10: 1, ndcg10: 1 }],
])(
  'a question that needs %s of its sections at ranks %j has the figures computed by hand',
  (needs, ranks, { hit3, mrr, recall10, ndcg10 }) => {
    const question = { needs, ranks };
    expect(hitAt(3, question)).toBe(hit3);
    expect(reciprocalRank(question)).toBeCloseTo(mrr, 5);
    expect(recallAt(10, question)).toBeCloseTo(recall10, 5);
    expect(ndcgAt(10, question)).toBeCloseTo(ndcg10, 5);
  },
);

const rank = fc.option(fc.integer({ min: 1, max: 15 }), { nil: null });
const questions = fc.record({
  needs: fc.constantFrom<Needs>('any', 'all'),
  ranks: fc.array(rank, { minLength: 1, maxLength: 12 }),
});

it('every metric of any question lies between 0 and 1', () => {
  fc.assert(
    fc.property(questions, fc.integer({ min: 1, max: 10 }), (question, k) => {
      for (const metric of [hitAt, recallAt, ndcgAt]) {
        expect(metric(k, question)).toBeGreaterThanOrEqual(0);
        expect(metric(k, question)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

it('a larger k never loses a hit or recall, and the order of the expected sections does not matter', () => {
  fc.assert(
    fc.property(questions, fc.integer({ min: 1, max: 9 }), ({ needs, ranks }, k) => {
      const question = { needs, ranks };
      expect(hitAt(k + 1, question)).toBeGreaterThanOrEqual(hitAt(k, question));
      expect(recallAt(k + 1, question)).toBeGreaterThanOrEqual(recallAt(k, question));
      const reversed = { needs, ranks: ranks.toReversed() };
      expect(ndcgAt(k, reversed)).toBe(ndcgAt(k, question));
    }),
  );
});

it('a perfect ranking has an nDCG of 1, and a section that moves down never raises it', () => {
  fc.assert(
    fc.property(questions, fc.nat(), ({ needs, ranks }, at) => {
      const perfect = { needs, ranks: ranks.map((_, i) => i + 1) };
      expect(ndcgAt(10, perfect)).toBe(1);
      const moved = ranks.map((each, i) => (i === at % ranks.length && each !== null ? each + 1 : each));
      expect(ndcgAt(10, { needs, ranks: moved })).toBeLessThanOrEqual(ndcgAt(10, { needs, ranks }) + 1e-12);
    }),
  );
});

it('a section has the rank of its first chunk, and none when no chunk is in it', () => {
  const chunks = [
    { url: 'https://x.org/a#one' },
    { url: 'https://x.org/b#two', anchors: ['two', 'three'] },
    { url: 'https://x.org/b#three' },
    { url: 'https://x.org/a#one' },
  ];
  expect(rankSections(['b#three', 'a#one', 'a', 'b#two'], chunks)).toEqual([2, 1, null, 2]);
});
