import { contentWords } from '../text/content-words.js';

/** A hashed bag of words of length one: equal texts have equal vectors, shared words raise the cosine. */
export function hashedEmbedding(text: string, dimension: number): Float32Array {
  const words = contentWords(text);
  return hashedBag(words.length > 0 ? words : [text], dimension);
}

/** A vector of length one; each piece adds to the component that its hash selects, with the sign of the hash. */
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

/** The sign is the top bit, nearly independent of the remainder by a dimension: collisions cancel out. */
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

/** FNV-1a, 32 bits: equal pieces of text select the same component of a vector. */
function wordHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
