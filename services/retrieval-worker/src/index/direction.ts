/**
 * A vector of 1,536 numbers is 17 KB of JSON with every candidate of every question; as bytes in the payload it is
 * 2 KB. The cosine of two of them is off by less than 0.01, which is enough to say how alike two passages are.
 */
export function storedDirection(vector: readonly number[]): string {
  const longest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0) || 1;
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / longest) * 127)).buffer).toString(
    'base64',
  );
}

export function directionOf(stored: string): Int8Array {
  return new Int8Array(Buffer.from(stored, 'base64'));
}
