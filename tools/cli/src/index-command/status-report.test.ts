import { expect, it } from 'vitest';
import { size } from './status-report.js';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [12_345, '12.3 kB'],
  [12_345_678, '12.3 MB'],
  [5_000_000_000_000, '5000.0 GB'],
])('a size of %i bytes is shown as %s', (bytes, text) => {
  expect(size(bytes)).toBe(text);
});
