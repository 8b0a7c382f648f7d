import { expect, it } from 'vitest';
import { LONGEST_RETRY_SECONDS, retryAfterSeconds } from './retry-after.js';

const first = () => 0;
const middle = () => 0.5;
const last = () => 1 - Number.EPSILON;

it.each([
  ['is spread from the earliest time on', 5000, 15_000, [5, 13, 20]],
  ['is a whole number of seconds and never zero', 0, 0, [1, 1, 2]],
  ['is rounded up, so that a caller does not return too early', 4001, 0, [5, 6, 7]],
  ['has an upper bound and is spread below it', 9e6, 20_000, [100, 110, 120]],
  ['is spread over half of its upper bound at most', 0, 9e6, [1, 30, 60]],
])('Retry-After %s', (_rule, earliestMs, spreadMs, seconds) => {
  const given = [first, middle, last].map((random) => retryAfterSeconds(earliestMs, spreadMs, random));
  expect(given).toEqual(seconds);
});

it('Retry-After is between a second and its upper bound for every wait', () => {
  for (const earliestMs of [0, 1, 999, 61_000, 1e12]) {
    for (const spreadMs of [0, 1, 45_000, 1e12]) {
      const given = Array.from({ length: 50 }, () => retryAfterSeconds(earliestMs, spreadMs));
      expect(Math.min(...given)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...given)).toBeLessThanOrEqual(LONGEST_RETRY_SECONDS);
      expect(given.every(Number.isInteger)).toBe(true);
    }
  }
});
