import { DependencyUnavailable } from '@quire/shared/errors';
import { untilAborted } from '@quire/shared/process';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withinTimeLimit } from './time-limit.js';

/** Rejects an aborted call with an error of its own, as SDKs do. */
const stalls = (signal: AbortSignal) =>
  untilAborted(signal, new Promise<string>(() => {})).catch(() => {
    throw new Error('The request was aborted');
  });

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it('a call that exceeds its limit rejects with DependencyUnavailable', async () => {
  const failure = withinTimeLimit(100, new AbortController().signal, stalls).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(100);
  expect(await failure).toBeInstanceOf(DependencyUnavailable);
  expect(await failure).toMatchObject({ message: 'The provider did not respond in time' });
});

it('an aborted call rejects with the reason of its signal', async () => {
  const controller = new AbortController();
  const late = withinTimeLimit(100, controller.signal, stalls);
  const reason = new Error('aborted by the caller');
  controller.abort(reason);
  await expect(late).rejects.toBe(reason);
});

it('a call that ends in time leaves no timer behind', async () => {
  expect(await withinTimeLimit(100, new AbortController().signal, () => Promise.resolve('in time'))).toBe(
    'in time',
  );
});
