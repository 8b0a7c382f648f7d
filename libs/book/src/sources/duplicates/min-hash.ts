const SHINGLE_WORDS = 5;
export const SIGNATURE_LENGTH = 128;

// Fixed, so that every run finds the same duplicates.
const seeds = Int32Array.from({ length: SIGNATURE_LENGTH }, (_, i) => mix(Math.imul(i + 1, 0x9e3779b9)));

/**
 * A sketch of the set of all runs of five words: the share of equal values in two sketches estimates the share of runs
 * that two texts have in common (Broder 1997).
 */
export function minHash(words: readonly string[]): Int32Array {
  const signature = new Int32Array(SIGNATURE_LENGTH).fill(0x7fffffff);
  for (const shingle of shingles(words)) {
    for (let i = 0; i < SIGNATURE_LENGTH; i += 1) {
      const hash = mix(shingle ^ (seeds[i] ?? 0));
      if (hash < (signature[i] ?? 0)) signature[i] = hash;
    }
  }
  return signature;
}

function shingles(words: readonly string[]): Set<number> {
  const hashes = words.map(hashWord);
  const found = new Set<number>();
  for (let end = SHINGLE_WORDS; end <= hashes.length; end += 1) {
    const run = hashes.slice(end - SHINGLE_WORDS, end);
    found.add(run.reduce((hash, word) => mix(Math.imul(hash, 31) ^ word), 0));
  }
  return found;
}

/** FNV-1a. */
function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i += 1) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash;
}

/** MurmurHash3's finalizer: every input bit changes half of the output bits. */
export function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
