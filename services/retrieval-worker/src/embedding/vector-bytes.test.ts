import { expect, it } from 'vitest';
import { vectorFromBytes, vectorToBytes } from './vector-bytes.js';

it('a vector is written as little-endian floats and read back unchanged', () => {
  const vector = Float32Array.from([1, -0.1, 0]);
  const bytes = vectorToBytes(vector);
  expect(bytes.toString('hex')).toBe('0000803fcdccccbd00000000');
  expect(vectorFromBytes(bytes, 3)).toEqual(vector);
});

it.each([0, 11, 13, 16])('%i bytes are no vector of three dimensions', (length) => {
  expect(vectorFromBytes(Buffer.alloc(length), 3)).toBeUndefined();
});
