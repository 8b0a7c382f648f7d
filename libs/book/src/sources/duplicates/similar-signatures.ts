import { mix, SIGNATURE_LENGTH } from './min-hash.js';

const ROWS = 16;
const BANDS = SIGNATURE_LENGTH / ROWS;
const MOST_DIFFERENCES = Math.floor(SIGNATURE_LENGTH * 0.05);
/** Bounds the comparisons in a book whose pages are similar, but not duplicates. */
const BUCKET_SIZE = 32;

interface Entry {
  path: string;
  signature: Int32Array;
}

/**
 * Finds an earlier signature with 95 % of the same values. Signatures are compared if they share a whole band: the six
 * values in which such a pair may differ leave at least two of the eight bands equal.
 */
export class SimilarSignatures {
  readonly #buckets = Array.from({ length: BANDS }, () => new Map<number, Entry[]>());

  find(signature: Int32Array, except: ReadonlySet<string> = new Set()): string | undefined {
    for (const [band, buckets] of this.#buckets.entries()) {
      for (const entry of buckets.get(bandHash(signature, band)) ?? []) {
        if (!except.has(entry.path) && isSimilar(entry.signature, signature)) return entry.path;
      }
    }
    return undefined;
  }

  add(path: string, signature: Int32Array): void {
    const entry = { path, signature };
    for (const [band, buckets] of this.#buckets.entries()) {
      const hash = bandHash(signature, band);
      const bucket = buckets.get(hash);
      if (bucket === undefined) buckets.set(hash, [entry]);
      else if (bucket.length < BUCKET_SIZE) bucket.push(entry);
    }
  }
}

function bandHash(signature: Int32Array, band: number): number {
  return signature.subarray(band * ROWS, (band + 1) * ROWS).reduce((hash, value) => mix(hash ^ value), band);
}

function isSimilar(a: Int32Array, b: Int32Array): boolean {
  let differences = 0;
  for (let i = 0; i < SIGNATURE_LENGTH && differences <= MOST_DIFFERENCES; i += 1) {
    if (a[i] !== b[i]) differences += 1;
  }
  return differences <= MOST_DIFFERENCES;
}
