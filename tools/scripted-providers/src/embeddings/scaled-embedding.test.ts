import { expect, it } from 'vitest';
import { scaledEmbedding } from './scaled-embedding.js';

const DIMENSION = 1536;
const QUESTION = 'How do ROS 2 nodes communicate over topics?';

function cosine(a: string, b: string): number {
  const other = scaledEmbedding(b, DIMENSION);
  return scaledEmbedding(a, DIMENSION).reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

it.each(['', 'a', 'the of and', QUESTION])('the text %j has a vector of length one', (text) => {
  expect(cosine(text, text)).toBeCloseTo(1, 5);
});

it('a passage that answers the question has a cosine of 0.3 to 0.6', () => {
  const passage =
    'A node publishes messages to a topic, and every node that subscribes to the topic receives them. ' +
    'Communication over topics is anonymous: publishers do not know the subscribers. ROS 2 offers services as well.';
  const score = cosine(QUESTION, passage);
  expect(score).toBeGreaterThan(0.3);
  expect(score).toBeLessThan(0.6);
});

it.each([
  'Bread needs flour, water, salt and yeast; the dough rests for twelve hours before it is baked.',
  'The central bank raised its interest rate by a quarter of a percent to slow inflation down.',
])('the unrelated passage %j has a cosine of 0.05 to 0.25', (passage) => {
  const score = cosine(QUESTION, passage);
  expect(score).toBeGreaterThan(0.05);
  expect(score).toBeLessThan(0.25);
});
