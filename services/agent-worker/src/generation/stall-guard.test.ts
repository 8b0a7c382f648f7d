import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@quire/testkit';
import { expect, it } from 'vitest';
import { stallGuard } from './stall-guard.js';

const limits = { firstTokenMs: 50, idleMs: 60_000 };
const nobody = new AbortController().signal;

/** As a process that was stopped and goes on: no timer fires and no socket is read meanwhile. */
function freeze(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('ends a call whose provider sends nothing', async () => {
  const guard = stallGuard(limits, nobody);
  await eventually(() => expect(guard.stalled).toBe(true));
  guard.release();
});

it('does not blame the provider for a time in which the process itself stood still', async () => {
  const guard = stallGuard(limits, nobody);
  freeze(1500);
  await sleep(100);
  guard.progress();
  expect(guard.stalled).toBe(false);
  guard.release();
});

it('ends a call whose provider sends nothing after such a time either', async () => {
  const guard = stallGuard(limits, nobody);
  freeze(1500);
  await eventually(() => expect(guard.stalled).toBe(true));
  guard.release();
});
