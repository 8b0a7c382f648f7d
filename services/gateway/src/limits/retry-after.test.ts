import { describe, expect, it } from 'vitest';
import { LONGEST_RETRY_SECONDS, retryAfterSeconds, type Return } from './retry-after.js';

const first = () => 0;
const middle = () => 0.5;
const last = () => 1 - Number.EPSILON;

describe('Retry-After', () => {
  it.each<[title: string, given: Return, earliest: number, centre: number, latest: number]>([
    ['spreads from the earliest time on', { earliestMs: 5000, spreadMs: 15_000 }, 5, 13, 20],
    ['is a whole second and never zero', { earliestMs: 0, spreadMs: 0 }, 1, 1, 2],
    ['is rounded up: a caller that comes back then is not early', { earliestMs: 4001, spreadMs: 0 }, 5, 6, 7],
    ['has an upper bound and is still spread below it', { earliestMs: 9e6, spreadMs: 20_000 }, 100, 110, 120],
    ['spreads over half of the bound at most', { earliestMs: 0, spreadMs: 9e6 }, 1, 30, 60],
  ])('%s', (_, given, earliest, centre, latest) => {
    expect([first, middle, last].map((random) => retryAfterSeconds(given, random))).toEqual([
      earliest,
      centre,
      latest,
    ]);
  });

  it('is no longer than its bound and no shorter than a second, whatever the line is', () => {
    for (const earliestMs of [0, 1, 999, 61_000, 1e12]) {
      for (const spreadMs of [0, 1, 45_000, 1e12]) {
        const given = Array.from({ length: 50 }, () => retryAfterSeconds({ earliestMs, spreadMs }));
        expect(Math.min(...given)).toBeGreaterThanOrEqual(1);
        expect(Math.max(...given)).toBeLessThanOrEqual(LONGEST_RETRY_SECONDS);
        expect(given.every(Number.isInteger)).toBe(true);
      }
    }
  });
});
