import { contentWords } from '../text/content-words.js';
import { wordHash } from './word-hash.js';

/** A hashed bag of words of length one: the same text always gives the same vector, shared words bring texts closer. */
export function hashedEmbedding(text: string, dimension: number): Float32Array {
  const words = contentWords(text);
  return hashedBag(words.length > 0 ? words : [text], dimension);
}

/** The pieces of a text as a vector of length one, each piece on the component and with the sign of its hash. */
export function hashedBag(pieces: readonly string[], dimension: number): Float32Array {
  const counts = new Map<string, number>();
  for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);

  const vector = new Float32Array(dimension);
  for (const [piece, count] of counts) {
    const hash = wordHash(piece);
    const index = hash % dimension;
    vector[index] = (vector[index] ?? 0) + signOf(hash) * Math.sqrt(count);
  }
  return normalised(vector);
}

/** The top bit, which the remainder by a dimension hardly depends on; signs let collisions cancel out. */
function signOf(hash: number): number {
  return hash >= 0x80000000 ? 1 : -1;
}

function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares > 0) return vector.map((value) => value / Math.sqrt(squares));
  vector[0] = 1;
  return vector;
}
