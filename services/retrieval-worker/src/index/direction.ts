/**
 * A vector as base64 bytes in the payload: 2 KB per candidate for 1,536 numbers, where JSON takes 17 KB. The cosine of
 * two of them differs by less than 0.01, which is enough to compare passages.
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
