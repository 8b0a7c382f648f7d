import { vi } from 'vitest';
import { MicroBatcher, type MicroBatcherOptions } from '../src/batching/micro-batcher.js';

export const WINDOW_MS = 5;
const { signal: unaborted } = new AbortController();

/** One call of the batcher, which the test answers when it likes. */
export interface RunningBatch {
  items: readonly string[];
  signal: AbortSignal;
  /** Each item with itself in capitals. */
  answer(): void;
  fail(error: unknown): void;
}

/** A batcher of letters: three in a call, two calls at once. */
export function openBatcher(options: Partial<MicroBatcherOptions<string, string>> = {}) {
  const calls: RunningBatch[] = [];
  const run = (items: readonly string[], signal: AbortSignal) =>
    new Promise<string[]>((resolve, reject) => {
      const answer = () => resolve(items.map((item) => item.toUpperCase()));
      calls.push({ items, signal, answer, fail: reject });
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
    /** For tests that look at the calls, not at the results. */
    add: (letters: string, signal: AbortSignal = unaborted): void => void ask(letters, signal),
  };
}

/** Lets everything happen that waits for no timer. */
export const turn = () => vi.advanceTimersByTimeAsync(0);
