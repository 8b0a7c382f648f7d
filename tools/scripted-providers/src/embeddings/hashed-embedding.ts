import { contentWords } from '../text/content-words.js';

/** A hashed bag of words of length one: the same text always gives the same vector, shared words bring texts closer. */
export function hashedEmbedding(text: string, dimension: number): Float32Array {
  const counts = new Map<string, number>();
  const words = contentWords(text);
  for (const word of words.length > 0 ? words : [text]) counts.set(word, (counts.get(word) ?? 0) + 1);

  const vector = new Float32Array(dimension);
  for (const [word, count] of counts) {
    const hash = fnv1a(word);
    const index = hash % dimension;
    vector[index] = (vector[index] ?? 0) + signOf(hash) * Math.sqrt(count);
  }
  return normalised(vector);
}

/** The top bit, which the remainder by a dimension hardly depends on; signs let collisions cancel out. */
function signOf(hash: number): number {
  return hash >= 0x80000000 ? 1 : -1;
}

function fnv1a(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares > 0) return vector.map((value) => value / Math.sqrt(squares));
  vector[0] = 1;
  return vector;
}
