import { expect, it } from 'vitest';
import { LONGEST_RETRY_SECONDS, retryAfterSeconds, type Return } from './retry-after.js';

const first = () => 0;
const middle = () => 0.5;
const last = () => 1 - Number.EPSILON;

it.each<[title: string, given: Return, earliest: number, centre: number, latest: number]>([
  ['Retry-After is spread from the earliest time on', { earliestMs: 5000, spreadMs: 15_000 }, 5, 13, 20],
  ['Retry-After is a whole number of seconds and never zero', { earliestMs: 0, spreadMs: 0 }, 1, 1, 2],
  [
    'Retry-After is rounded up, so that a caller does not return too early',
    { earliestMs: 4001, spreadMs: 0 },
    5,
    6,
    7,
  ],
  [
    'Retry-After has an upper bound and is spread below it',
    { earliestMs: 9e6, spreadMs: 20_000 },
    100,
    110,
    120,
  ],
  ['Retry-After is spread over half of its upper bound at most', { earliestMs: 0, spreadMs: 9e6 }, 1, 30, 60],
])('%s', (_, given, earliest, centre, latest) => {
  expect([first, middle, last].map((random) => retryAfterSeconds(given, random))).toEqual([
    earliest,
    centre,
    latest,
  ]);
});

it('Retry-After is between a second and its upper bound for every wait', () => {
  for (const earliestMs of [0, 1, 999, 61_000, 1e12]) {
    for (const spreadMs of [0, 1, 45_000, 1e12]) {
      const given = Array.from({ length: 50 }, () => retryAfterSeconds({ earliestMs, spreadMs }));
      expect(Math.min(...given)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...given)).toBeLessThanOrEqual(LONGEST_RETRY_SECONDS);
      expect(given.every(Number.isInteger)).toBe(true);
    }
  }
});
