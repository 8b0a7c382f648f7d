import { vi } from 'vitest';
import { MicroBatcher, type MicroBatcherOptions } from '../src/batching/micro-batcher.js';

export const WINDOW_MS = 5;
const { signal: unaborted } = new AbortController();

/** One call of the batcher, which the test ends. */
export interface RunningBatch {
  items: readonly string[];
  signal: AbortSignal;
  /** With each item in capitals as its result. */
  succeed(): void;
  fail(error: unknown): void;
}

/** A batcher of letters: three in a call, two calls at once. */
export function openBatcher(options: Partial<MicroBatcherOptions<string, string>> = {}) {
  const calls: RunningBatch[] = [];
  const run = (items: readonly string[], signal: AbortSignal) =>
    new Promise<string[]>((resolve, reject) => {
      const succeed = () => resolve(items.map((item) => item.toUpperCase()));
      calls.push({ items, signal, succeed, fail: reject });
    });
  const batcher = new MicroBatcher({ maxBatch: 3, maxInFlight: 2, windowMs: WINDOW_MS, run, ...options });
  const ask = (letters: string, signal: AbortSignal = unaborted) => {
    const results = letters.split('').map((letter) => batcher.add(letter, signal));
    for (const result of results) result.catch(() => {});
    return results;
  };
  return {
    calls,
    batches: () => calls.map(({ items }) => items.join('')),
    ask,
    /** For tests of the calls; the results are ignored. */
    add: (letters: string, signal: AbortSignal = unaborted): void => void ask(letters, signal),
  };
}

/** Runs everything that waits for no timer. */
export const turn = () => vi.advanceTimersByTimeAsync(0);
