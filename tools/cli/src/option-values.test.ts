import { expect, it } from 'vitest';
import { duration } from './option-values.js';

it.each([
  ['0s', 0],
  ['45s', 45_000],
  ['30m', 1_800_000],
  ['12h', 43_200_000],
  ['90d', 7_776_000_000],
])('a duration of %s is %d ms', (text, ms) => expect(duration(text)).toBe(ms));

it.each(['', '90', 'd', '-1d', '1.5h', '1w', '9999999d'])('%j is refused as a duration', (text) =>
  expect(() => duration(text)).toThrow(/like 90d/),
);
