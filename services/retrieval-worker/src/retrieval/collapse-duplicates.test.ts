import { expect, test } from 'vitest';
import { aCandidate } from '../../test/a-chunk.js';
import { collapseDuplicates } from './collapse-duplicates.js';

test('of hits with the same text only the best stays, and the order is kept', () => {
  const hit = (id: string, text: string, score: number) => ({
    ...aCandidate({ chunk_id: id, text }, 0.5),
    score,
  });
  const hits = [hit('a', 'one', 0.9), hit('b', 'two', 0.8), hit('c', 'one', 0.7), hit('d', 'three', 0.6)];
  expect(collapseDuplicates(hits).map(({ id }) => id)).toEqual(['a', 'b', 'd']);
});
