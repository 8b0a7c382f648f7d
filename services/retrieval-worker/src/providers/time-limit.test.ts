import { DependencyUnavailable } from '@quire/shared/errors';
import { untilAborted } from '@quire/shared/process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withinTimeLimit } from './time-limit.js';

/** Ends an aborted call with words of its own, as SDKs do. */
const stalls = (signal: AbortSignal) =>
  untilAborted(signal, new Promise<string>(() => {})).catch(() => {
    throw new Error('The request was aborted');
  });

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test('a call that takes too long is a provider that is away', async () => {
  const failure = withinTimeLimit(100, new AbortController().signal, stalls).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(100);
  expect(await failure).toBeInstanceOf(DependencyUnavailable);
  expect(await failure).toMatchObject({ message: 'The provider did not respond in time' });
});

test('an abort comes before the limit', async () => {
  const controller = new AbortController();
  const late = withinTimeLimit(100, controller.signal, stalls);
  const reason = new Error('nobody waits');
  controller.abort(reason);
  await expect(late).rejects.toBe(reason);
});

test('a call that is in time leaves no timer behind', async () => {
  expect(await withinTimeLimit(100, new AbortController().signal, () => Promise.resolve('in time'))).toBe(
    'in time',
  );
});
