import { expect, it } from 'vitest';
import { backoffMs, retryAfterMs } from './retry-delay.js';

const now = Date.UTC(2024, 0, 1);

it.each([
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', 0],
  [' 3 ', 3000],
  ['3600', 60_000],
  ['Mon, 01 Jan 2024 00:00:07 GMT', 7000],
  ['Sun, 31 Dec 2023 00:00:00 GMT', 0],
  ['Tue, 02 Jan 2024 00:00:00 GMT', 60_000],
])('a Retry-After of %s is a delay of %s ms', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});

it.each([
  [1, 50, 100],
  [2, 100, 200],
])('the delay after try %d is between %d and %d ms', (tried, least, most) => {
  const waits = Array.from({ length: 100 }, () => backoffMs(100, tried));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
  expect(Math.max(...waits)).toBeLessThanOrEqual(most);
  expect(new Set(waits).size).toBeGreaterThan(1);
});
