import { expect, it } from 'vitest';
import { SIGNATURE_LENGTH } from './min-hash.js';
import { SimilarSignatures } from './similar-signatures.js';

const signature = Int32Array.from({ length: SIGNATURE_LENGTH }, (_, i) => i * 7919);
const differingAt = (...places: number[]) =>
  signature.map((value, i) => (places.includes(i) ? ~value : value));

it.each([
  ['nowhere', []],
  ['in six places of one band', [0, 1, 2, 3, 4, 5]],
  ['in six places of six bands', [0, 16, 32, 48, 64, 80]],
])('a signature that differs %s is similar', (_where, places) => {
  const signatures = new SimilarSignatures();
  signatures.add('a', signature);
  expect(signatures.find(differingAt(...places))).toBe('a');
});

it('a signature that differs in seven values is not similar', () => {
  const signatures = new SimilarSignatures();
  signatures.add('a', signature);
  expect(signatures.find(differingAt(0, 16, 32, 48, 64, 80, 96))).toBeUndefined();
});
