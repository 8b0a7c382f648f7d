import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@quire/testkit';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { stallGuard, type StallGuard } from './stall-guard.js';

const limits = { firstTokenMs: 50, idleMs: 60_000, thinkingMs: 60_000 };
const neverAborted = new AbortController().signal;

/** Like a process that is stopped and continued: meanwhile no timer fires and no socket is read. */
function freeze(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('the stall guard ends a call whose provider sends nothing', async () => {
  const guard = stallGuard(limits, neverAborted);
  await eventually(() => expect(guard.stalled).toBe(true));
  guard.release();
});

it('the stall guard does not count time in which the process itself stood still', async () => {
  const guard = stallGuard(limits, neverAborted);
  freeze(1500);
  // The timer of the guard is due before this one.
  await sleep(0);
  guard.progress();
  expect(guard.stalled).toBe(false);
  guard.release();
});

it('the stall guard ends a call whose provider sends nothing after the process stood still', async () => {
  const guard = stallGuard(limits, neverAborted);
  freeze(1500);
  await eventually(() => expect(guard.stalled).toBe(true));
  guard.release();
});

describe('stallGuard with reasoning', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());
  const guarded = () => {
    const guard = stallGuard({ firstTokenMs: 1000, idleMs: 900, thinkingMs: 4000 }, neverAborted);
    onTestFinished(guard.release);
    return guard;
  };
  const think = (guard: StallGuard, ms: number) => {
    for (let heard = 0; heard < ms; heard += 500) {
      guard.thinking();
      vi.advanceTimersByTime(500);
    }
  };

  it('a provider that streams reasoning may exceed the limit for a first token up to the limit for reasoning', () => {
    const guard = guarded();
    think(guard, 3500);
    expect(guard.stalled).toBe(false);
    think(guard, 500);
    expect(guard).toMatchObject({ stalled: true, overthought: true });
  });

  it('a provider that starts its answer in time may stream it for any time', () => {
    const guard = guarded();
    think(guard, 3500);
    for (let pieces = 0; pieces < 20; pieces += 1) {
      guard.progress();
      vi.advanceTimersByTime(500);
    }
    expect(guard.stalled).toBe(false);
  });

  it('a provider that stops its reasoning is cut off after the idle time', () => {
    const guard = guarded();
    guard.thinking();
    vi.advanceTimersByTime(899);
    expect(guard.stalled).toBe(false);
    vi.advanceTimersByTime(1);
    expect(guard).toMatchObject({ stalled: true, overthought: false });
  });

  it('a provider that streams reasoning in the middle of its answer counts as silent', () => {
    const guard = guarded();
    guard.progress();
    think(guard, 1000);
    expect(guard).toMatchObject({ stalled: true, overthought: false });
  });
});
