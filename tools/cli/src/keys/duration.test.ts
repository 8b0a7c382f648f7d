import { expect, test } from 'vitest';
import { duration } from './duration.js';

test.each([
  ['0s', 0],
  ['45s', 45_000],
  ['30m', 1_800_000],
  ['12h', 43_200_000],
  ['90d', 7_776_000_000],
])('%s is %d ms', (text, ms) => expect(duration(text)).toBe(ms));

test.each(['', '90', 'd', '-1d', '1.5h', '1w', '9999999d'])('%j is no time', (text) =>
  expect(() => duration(text)).toThrow(/like 90d/),
);
