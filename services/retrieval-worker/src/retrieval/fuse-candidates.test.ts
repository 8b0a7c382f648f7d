import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aCandidate } from '../../test/a-chunk.js';
import type { Candidate, LexicalCandidate } from '../index/vector-index.js';
import { fuseCandidates } from './fuse-candidates.js';

const near = (id: string, similarity: number): Candidate => aCandidate({ chunk_id: id }, similarity);
const wordy = (id: string, bm25: number, similarity: number): LexicalCandidate => ({
  ...near(id, similarity),
  bm25,
});
const order = (...parameters: Parameters<typeof fuseCandidates>) =>
  fuseCandidates(...parameters).map(({ id }) => id);

describe('fusion', () => {
  const dense = [near('meaning', 0.9), near('both', 0.7), near('noise', 0.1)];
  const sparse = [wordy('words', 12, 0.2), wordy('both', 9, 0.7)];

  test('a weak embedder only nudges: the best words stay in front', () => {
    expect(order({ dense, sparse }, 0.2)).toEqual(['words', 'both', 'meaning', 'noise']);
  });

  test('a strong embedder leads', () => {
    expect(order({ dense, sparse }, 2)).toEqual(['both', 'meaning', 'words', 'noise']);
  });

  test('a nudge decides between equal words', () => {
    expect(order({ dense: [], sparse: [wordy('a', 5, 0.2), wordy('b', 5, 0.4)] }, 0.2)).toEqual(['b', 'a']);
  });

  test('a chunk that was found in both ways comes once, with its cosine', () => {
    const both = fuseCandidates({ dense, sparse }, 1).filter(({ id }) => id === 'both');
    expect(both).toMatchObject([{ similarity: 0.7 }]);
    expect(both[0]?.score).toBeCloseTo(9 / 12 + (0.7 - 0.1) / (0.9 - 0.1));
  });

  test('vectors alone keep their order, words alone theirs', () => {
    expect(order({ dense, sparse: [] }, 0.2)).toEqual(['meaning', 'both', 'noise']);
    expect(order({ dense: [], sparse: [wordy('a', 9, 0), wordy('b', 3, 0)] }, 0.2)).toEqual(['a', 'b']);
  });

  test('nothing found is nothing', () => {
    expect(fuseCandidates({ dense: [], sparse: [] }, 1)).toEqual([]);
  });
});

test('every candidate comes once, best score first, whatever the order they were given in', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const score = fc.double({ min: 0, max: 1, noNaN: true });
  const cosines = fc.array(score, { minLength: 5, maxLength: 5 });
  const list = fc.uniqueArray(fc.tuple(names, score), { selector: ([name]) => name });
  fc.assert(
    fc.property(
      list,
      list,
      cosines,
      fc.double({ min: 0, max: 5, noNaN: true }),
      (inDense, inSparse, of, weight) => {
        const cosine = (name: string) => of['abcde'.indexOf(name)] ?? 0;
        const dense = inDense.map(([name]) => near(name, cosine(name)));
        const sparse = inSparse.map(([name, bm25]) => wordy(name, bm25, cosine(name)));
        const fused = fuseCandidates({ dense, sparse }, weight);
        const ids = new Set([...inDense, ...inSparse].map(([name]) => name));
        expect(new Set(fused.map(({ id }) => id))).toEqual(ids);
        expect(fused).toHaveLength(ids.size);
        const scores = fused.map((hit) => hit.score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        const turned = { dense: dense.toReversed(), sparse: sparse.toReversed() };
        expect(order(turned, weight)).toEqual(fused.map(({ id }) => id));
      },
    ),
  );
});
