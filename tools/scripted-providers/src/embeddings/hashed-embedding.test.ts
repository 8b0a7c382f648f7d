import { expect, it } from 'vitest';
import { hashedEmbedding } from './hashed-embedding.js';

const cosine = (a: string, b: string, dimension = 1_024): number => {
  const other = hashedEmbedding(b, dimension);
  return hashedEmbedding(a, dimension).reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
};

it.each(['', '...', 'the of and', 'vector', 'A longer text about vectors and the index of vectors'])(
  'the text %j has a vector of length one',
  (text) => {
    expect(cosine(text, text)).toBeCloseTo(1, 5);
  },
);

it('the same text always has the same vector', () => {
  expect(hashedEmbedding('An index of vectors', 1_536)).toEqual(
    hashedEmbedding('An index of vectors', 1_536),
  );
});

it('the more words two texts share, the closer they are', () => {
  const query = 'how does the vector index search';
  const same = cosine(query, 'The vector index can search');
  const some = cosine(query, 'A vector has a direction');
  const none = cosine(query, 'Bread needs flour and water');
  expect(same).toBeGreaterThan(some);
  expect(some).toBeGreaterThan(none);
});

it('stop words, case and punctuation do not count', () => {
  expect(cosine('The vector, and the INDEX!', 'vector index')).toBeCloseTo(1, 5);
});
