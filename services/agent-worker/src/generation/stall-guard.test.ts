import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@quire/testkit';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { stallGuard, type StallGuard } from './stall-guard.js';

const limits = { firstTokenMs: 50, idleMs: 60_000, thinkingMs: 60_000 };
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

describe('a provider that is heard thinking', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());
  const guarded = () => {
    const guard = stallGuard({ firstTokenMs: 1000, idleMs: 900, thinkingMs: 4000 }, nobody);
    onTestFinished(guard.release);
    return guard;
  };
  const think = (guard: StallGuard, ms: number) => {
    for (let heard = 0; heard < ms; heard += 500) {
      guard.thinking();
      vi.advanceTimersByTime(500);
    }
  };

  it('has more time than the limit for a first token, up to a limit of its own', () => {
    const guard = guarded();
    think(guard, 3500);
    expect(guard.stalled).toBe(false);
    think(guard, 500);
    expect(guard).toMatchObject({ stalled: true, overthought: true });
  });

  it('and begins its answer in time may go on for as long as it takes', () => {
    const guard = guarded();
    think(guard, 3500);
    for (let pieces = 0; pieces < 20; pieces += 1) {
      guard.progress();
      vi.advanceTimersByTime(500);
    }
    expect(guard.stalled).toBe(false);
  });

  it('and falls silent is ended after the idle time', () => {
    const guard = guarded();
    guard.thinking();
    vi.advanceTimersByTime(899);
    expect(guard.stalled).toBe(false);
    vi.advanceTimersByTime(1);
    expect(guard).toMatchObject({ stalled: true, overthought: false });
  });

  it('in the middle of its answer counts as silent', () => {
    const guard = guarded();
    guard.progress();
    think(guard, 1000);
    expect(guard).toMatchObject({ stalled: true, overthought: false });
  });
});
