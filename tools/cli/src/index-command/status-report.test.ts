import { expect, test } from 'vitest';
import { size } from './status-report.js';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [12_345, '12.3 kB'],
  [12_345_678, '12.3 MB'],
  [5_000_000_000_000, '5000.0 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(size(bytes)).toBe(text);
});
