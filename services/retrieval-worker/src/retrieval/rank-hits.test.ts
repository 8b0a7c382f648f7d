import { expect, it } from 'vitest';
import { aCandidate } from '../../test/a-chunk.js';
import { rankHits } from './rank-hits.js';

const text = 'Write to support.';
const wordy = { ...aCandidate({ chunk_id: 'wordy', text }, 0.2), bm25: 12 };
const near = aCandidate({ chunk_id: 'near', text }, 0.6);
const candidates = { dense: [near], sparse: [wordy] };
const idsOf = (...parameters: Parameters<typeof rankHits>) => rankHits(...parameters).map(({ id }) => id);

it('only the best-scored copy of a text is kept', () => {
  expect(idsOf(candidates, 0.2, 0)).toEqual(['wordy']);
});

it('hits of different texts keep their order when copies are removed', () => {
  const copy = (id: string, words: string, bm25: number) => ({
    ...aCandidate({ chunk_id: id, text: words }, 0.5),
    bm25,
  });
  const copies = [copy('a', 'one', 9), copy('b', 'two', 8), copy('c', 'one', 7), copy('d', 'three', 6)];
  expect(idsOf({ dense: [], sparse: copies }, 0.2)).toEqual(['a', 'b', 'd']);
});

it('a copy below the threshold does not displace one above it', () => {
  expect(idsOf(candidates, 0.2, 0.4)).toEqual(['near']);
});

it('without a threshold a hit need not be similar', () => {
  expect(idsOf({ dense: [], sparse: [{ ...wordy, similarity: 0 }] }, 0.2)).toEqual(['wordy']);
});
