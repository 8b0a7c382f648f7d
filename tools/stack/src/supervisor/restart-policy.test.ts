import { expect, it } from 'vitest';
import { CrashHistory, DEFAULT_RESTART_POLICY } from './restart-policy.js';

const SECOND = 1_000;

it('the restart policy gives up after three quick crashes in a row', () => {
  expect(delaysAfter([1, 9.9, 0])).toEqual([250, 500, 'give-up']);
});

it('the restart policy resets the count of quick crashes after a late one', () => {
  expect(delaysAfter([1, 1, 10, 1, 1, 1])).toEqual([250, 500, 1_000, 2_000, 4_000, 'give-up']);
});

it('the restart policy doubles the delay up to five seconds', () => {
  expect(delaysAfter([11, 11, 11, 11, 11, 11, 11])).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
});

it('the restart policy starts with the shortest delay again once a service has run for a minute', () => {
  expect(delaysAfter([11, 11, 60])).toEqual([250, 500, 250]);
});

function delaysAfter(uptimesInSeconds: number[]): (number | 'give-up')[] {
  const history = new CrashHistory(DEFAULT_RESTART_POLICY);
  return uptimesInSeconds.map((uptime) => history.afterCrash(uptime * SECOND));
}
