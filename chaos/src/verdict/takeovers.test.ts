import { expect, it } from 'vitest';
import { newView, type ClientView } from '../clients/client-view.js';
import type { PastFault } from '../faults/run-schedule.js';
import { findTakeovers, lateTakeovers, type Observed } from './takeovers.js';

const kill: PastFault = { name: 'agent-kill', begunAt: 20_000, endedAt: 22_000 };

/** A stream with its last event shortly before the fault, and a `reset` so long after it. */
function silenced(afterMs: number): ClientView {
  const events = [
    { id: 1, type: 'delta', at: kill.begunAt - 100, text: 'a' },
    { id: 2, type: 'reset', at: kill.begunAt + afterMs, reason: 'taken_over' },
  ];
  return { ...newView('stream', 'q', 's', 0), runIds: ['run-1'], events };
}
const find = (afterMs: number, { past = [kill], stalledRuns = [] }: Partial<Observed> = {}) =>
  findTakeovers({ past, views: [silenced(afterMs)], stalledRuns });
const found = (afterMs: number) => [{ runId: 'run-1', foundAt: kill.begunAt + afterMs }];

it('the time of a takeover is that from the fault to the reset', () => {
  expect(find(4900)).toEqual([{ fault: kill, runId: 'run-1', afterMs: 4900, isHindered: false }]);
});

it('only streams that a killed or frozen agent worker interrupted count as taken over', () => {
  expect(find(4900, { past: [{ ...kill, name: 'agent-freeze' }] })).toHaveLength(1);
  expect(find(4900, { past: [{ ...kill, name: 'redis-flush' }] })).toEqual([]);
  expect(find(4900, { past: [{ ...kill, begunAt: 15_000, endedAt: 16_000 }] })).toEqual([]);
  expect(find(4900, { past: [{ ...kill, begunAt: 25_000, endedAt: 26_000 }] })).toEqual([]);
});

it.each<[string, PastFault, boolean]>([
  [
    'is hindered by another fault that lasts meanwhile',
    { name: 'qdrant-pause', begunAt: 10_000, endedAt: 20_500 },
    true,
  ],
  [
    'is hindered by another fault that begins meanwhile',
    { name: 'gateway-kill', begunAt: 24_000, endedAt: 26_000 },
    true,
  ],
  [
    'is not hindered by a fault that is over',
    { name: 'qdrant-pause', begunAt: 10_000, endedAt: 19_900 },
    false,
  ],
  [
    'is not hindered by a fault that comes later',
    { name: 'gateway-kill', begunAt: 26_000, endedAt: 27_000 },
    false,
  ],
  [
    'is hindered by a fault of Redis that has just ended',
    { name: 'redis-pause', begunAt: 1000, endedAt: 11_000 },
    true,
  ],
  [
    'is not hindered by a fault of Redis that ended long ago',
    { name: 'redis-reset', begunAt: 1000, endedAt: 9000 },
    false,
  ],
])('a takeover %s', (_title, other, isHindered) => {
  expect(find(4900, { past: [kill, other] })).toMatchObject([{ isHindered }]);
});

it.each([
  ['is not hindered if it is found and begins at once', 6000, 6500, false],
  ['is hindered if it is found and waits for a free worker', 6000, 14_000, true],
  ['is not hindered if it is found too late', 12_000, 14_000, false],
])('a takeover %s', (_title, foundAfter, after, isHindered) => {
  expect(find(after, { stalledRuns: found(foundAfter) })).toMatchObject([{ isHindered }]);
});

it('a takeover is late after ten seconds, if nothing hindered it', () => {
  expect(lateTakeovers(find(10_000))).toEqual([]);
  expect(lateTakeovers(find(10_100))).toMatchObject([{ runId: 'run-1', afterMs: 10_100 }]);
  expect(lateTakeovers(find(10_100, { stalledRuns: found(6000) }))).toEqual([]);
});
