import { expect, it } from 'vitest';
import { defaultRunLogLimits } from './run-log-limits.js';
import { endOf, floorOf, lastPositionAfter, opensLostLog } from './sequence.js';

const ATTEMPTS = Array.from({ length: 601 }, (_, attempt) => attempt);
const HOUR_MS = 3_600_000;

it('an attempt starts above every number that the attempt before it can reach', () => {
  for (const attempt of ATTEMPTS.slice(2)) expect(floorOf(attempt)).toBe(endOf(attempt - 1));
  expect(floorOf(1)).toBe(lastPositionAfter(Infinity));
  expect(floorOf(0)).toBe(0);
});

it('every attempt has more numbers than its log keeps events', () => {
  for (const attempt of ATTEMPTS.slice(1))
    expect(endOf(attempt) - floorOf(attempt)).toBeGreaterThan(10 * defaultRunLogLimits.maxLength);
});

it('the terminal event of a lost log is above every attempt, also where the run was never claimed', () => {
  for (const attempt of ATTEMPTS) expect(endOf(attempt)).toBeGreaterThan(floorOf(attempt));
  expect(endOf(0)).toBe(endOf(1));
});

it('every number stays exact in JavaScript, in Lua and as the identifier of a stream entry', () => {
  expect(endOf(ATTEMPTS.length)).toBeLessThan(2 ** 53 / 1000);
});

it('positions grow with the time a run waits and never reach the range of the first attempt', () => {
  expect([-5, 0, 1, 3000].map(lastPositionAfter)).toEqual([0, 0, 1, 3000]);
  expect(lastPositionAfter(HOUR_MS)).toBe(floorOf(1));
});

it('only the first event of the first attempt opens a lost log', () => {
  expect(opensLostLog(floorOf(1) + 1)).toBe(true);
  for (const other of [1, floorOf(1), floorOf(1) + 2, floorOf(2) + 1])
    expect(opensLostLog(other)).toBe(false);
});
