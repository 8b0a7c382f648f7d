import { expect, test } from 'vitest';
import { aCandidate } from '../../test/a-chunk.js';
import { rankHits } from './rank-hits.js';

const text = 'Write to support.';
const wordy = { ...aCandidate({ chunk_id: 'wordy', text }, 0.2), bm25: 12 };
const near = aCandidate({ chunk_id: 'near', text }, 0.6);
const candidates = { dense: [near], sparse: [wordy] };
const idsOf = (...parameters: Parameters<typeof rankHits>) => rankHits(...parameters).map(({ id }) => id);

test('of the copies of a text the best-scored stays', () => {
  expect(idsOf(candidates, 0.2, 0)).toEqual(['wordy']);
});

test('a copy below the threshold does not take one above it along', () => {
  expect(idsOf(candidates, 0.2, 0.4)).toEqual(['near']);
});

test('where there is no threshold, a hit need not be near', () => {
  expect(idsOf({ dense: [], sparse: [{ ...wordy, similarity: 0 }] }, 0.2)).toEqual(['wordy']);
});
