import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseRetryAfter } from './retry-after.js';

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') }));
afterEach(() => vi.useRealTimers());

it.each<[string | null | undefined, number | undefined, string]>([
  ['7', 7, 'seconds'],
  ['0.25', 0.25, 'parts of a second'],
  ['3600', 60, 'no more than a minute is waited for'],
  ['Thu, 01 Jan 2026 00:00:05 GMT', 5, 'a date'],
  ['Thu, 01 Jan 2026 01:00:00 GMT', 60, 'a date far away'],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0, 'a date that is over'],
  ['soon', undefined, 'words'],
  ['', undefined, 'nothing'],
  [null, undefined, 'no header'],
  [undefined, undefined, 'no answer'],
])('the Retry-After %j is %j seconds: %s', (header, seconds) => {
  expect(parseRetryAfter(header)).toBe(seconds);
});
