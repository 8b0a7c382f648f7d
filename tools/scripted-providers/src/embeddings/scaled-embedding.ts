import { contentWords } from '../text/content-words.js';
import { hashedBag } from './hashed-embedding.js';

/** The component that all texts share: with these models, unrelated texts rarely have a cosine of zero. */
const SHARED = 0.08;
const LETTERS = 3;

/**
 * Vectors with cosines on the scale of OpenAI's text-embedding-3 models: a question and a passage that answers it
 * 0.3–0.6, unrelated texts 0.05–0.25. Computed from the letter triples of words, so that inflected words count in part;
 * a paraphrase in other words is as far away as an unrelated question.
 */
export function scaledEmbedding(text: string, dimension: number): Float32Array {
  const triples = contentWords(text).flatMap(letterTriples);
  const own = hashedBag(triples.length > 0 ? triples : [text], dimension - 1);
  const vector = new Float32Array(dimension);
  vector.set(
    own.map((value) => value * Math.sqrt(1 - SHARED)),
    1,
  );
  vector[0] = Math.sqrt(SHARED);
  return vector;
}

function letterTriples(word: string): string[] {
  const bounded = `^${word}$`;
  const last = Math.max(0, bounded.length - LETTERS);
  return Array.from({ length: last + 1 }, (_, start) => bounded.slice(start, start + LETTERS));
}
