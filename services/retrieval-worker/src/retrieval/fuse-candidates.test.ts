import fc from 'fast-check';
import { expect, it } from 'vitest';
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

const dense = [near('meaning', 0.9), near('both', 0.7), near('noise', 0.1)];
const sparse = [wordy('words', 12, 0.2), wordy('both', 9, 0.7)];

it('with the weight of a weak embedder the best BM25 score stays first', () => {
  expect(order({ dense, sparse }, 0.2)).toEqual(['words', 'both', 'meaning', 'noise']);
});

it('with the weight of a strong embedder the best cosine comes first', () => {
  expect(order({ dense, sparse }, 2)).toEqual(['both', 'meaning', 'words', 'noise']);
});

it('the cosine decides between equal BM25 scores', () => {
  expect(order({ dense: [], sparse: [wordy('a', 5, 0.2), wordy('b', 5, 0.4)] }, 0.2)).toEqual(['b', 'a']);
});

it('a chunk found by vector and by words is one hit, with its cosine', () => {
  const both = fuseCandidates({ dense, sparse }, 1).filter(({ id }) => id === 'both');
  expect(both).toMatchObject([{ similarity: 0.7 }]);
  expect(both[0]?.score).toBeCloseTo(9 / 12 + (0.7 - 0.1) / (0.9 - 0.1));
});

it('candidates of one kind keep their order', () => {
  expect(order({ dense, sparse: [] }, 0.2)).toEqual(['meaning', 'both', 'noise']);
  expect(order({ dense: [], sparse: [wordy('a', 9, 0), wordy('b', 3, 0)] }, 0.2)).toEqual(['a', 'b']);
});

it('no candidates give no hits', () => {
  expect(fuseCandidates({ dense: [], sparse: [] }, 1)).toEqual([]);
});

it('every candidate is one hit, best score first, whatever the order of the candidates', () => {
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
        const byVector = inDense.map(([name]) => near(name, cosine(name)));
        const byWords = inSparse.map(([name, bm25]) => wordy(name, bm25, cosine(name)));
        const fused = fuseCandidates({ dense: byVector, sparse: byWords }, weight);
        const ids = new Set([...inDense, ...inSparse].map(([name]) => name));
        expect(new Set(fused.map(({ id }) => id))).toEqual(ids);
        expect(fused).toHaveLength(ids.size);
        const scores = fused.map((hit) => hit.score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        const turned = { dense: byVector.toReversed(), sparse: byWords.toReversed() };
        expect(order(turned, weight)).toEqual(fused.map(({ id }) => id));
      },
    ),
  );
});
