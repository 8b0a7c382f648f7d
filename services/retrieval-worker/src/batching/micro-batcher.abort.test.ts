import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openBatcher, turn, WINDOW_MS } from '../../test/a-batcher.js';

let batcher: ReturnType<typeof openBatcher>;

beforeEach(() => {
  vi.useFakeTimers();
  batcher = openBatcher();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('an item whose signal fires', () => {
  const reason = new Error('nobody waits');

  test('is not even taken when the signal has fired before', async () => {
    await expect(batcher.ask('a', AbortSignal.abort(reason))[0]).rejects.toBe(reason);
    expect(batcher.calls).toHaveLength(0);
  });

  test('leaves the queue at once, and leaves no timer behind', async () => {
    batcher.add('a');
    await turn();
    const controller = new AbortController();
    const [b] = batcher.ask('b', controller.signal);
    controller.abort(reason);
    await expect(b).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(WINDOW_MS);
    expect(batcher.batches()).toEqual(['a']);
  });

  test('leaves its call, which goes on for the others', async () => {
    const controller = new AbortController();
    const [a] = batcher.ask('a', controller.signal);
    const [b] = batcher.ask('b');
    await turn();
    controller.abort(reason);
    await expect(a).rejects.toBe(reason);
    expect(batcher.calls[0]?.signal.aborted).toBe(false);
    batcher.calls[0]?.answer();
    expect(await b).toBe('B');
  });

  test('aborts its call when it was the last, and the call counts until it has ended', async () => {
    batcher = openBatcher({ maxInFlight: 1 });
    const controller = new AbortController();
    batcher.add('ab', controller.signal);
    await turn();
    controller.abort(reason);
    expect(batcher.calls[0]?.signal.aborted).toBe(true);
    batcher.add('c');
    await turn();
    expect(batcher.batches()).toEqual(['ab']);
    batcher.calls[0]?.fail(new Error('aborted'));
    await turn();
    expect(batcher.batches()).toEqual(['ab', 'c']);
  });

  test('leaves those behind that are to be run alone', async () => {
    const controller = new AbortController();
    const [a] = batcher.ask('ab');
    await turn();
    batcher.add('c', controller.signal);
    batcher.calls[0]?.fail(new Error('bad item'));
    await Promise.resolve();
    controller.abort(reason);
    await turn();
    expect(batcher.batches()).toEqual(['ab', 'a', 'b']);
    batcher.calls[1]?.answer();
    expect(await a).toBe('A');
  });

  test('on hearing of another item’s failure is not sent any more', async () => {
    batcher = openBatcher({ maxBatch: 1, maxInFlight: 1, splitAfter: () => false });
    const controller = new AbortController();
    const page = Promise.all(batcher.ask('ab', controller.signal)).catch((error: unknown) =>
      controller.abort(error),
    );
    batcher.calls[0]?.fail(new Error('bad item'));
    await page;
    await turn();
    expect(batcher.batches()).toEqual(['a']);
  });

  test('is not run alone after a failure', async () => {
    const controller = new AbortController();
    batcher.add('a', controller.signal);
    batcher.add('b');
    await turn();
    controller.abort(reason);
    batcher.calls[0]?.fail(new Error('bad item'));
    await turn();
    expect(batcher.batches()).toEqual(['ab', 'b']);
  });

  test('is forgotten by its signal once it has its result', async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    const results = batcher.ask('abc', signal);
    batcher.calls[0]?.answer();
    await Promise.all(results);
    expect(removed).toHaveBeenCalledTimes(3);
    expect(batcher.calls[0]?.signal.aborted).toBe(false);
  });
});
