import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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

const reason = new Error('aborted by the caller');

it('an item whose signal has fired before is not added', async () => {
  await expect(batcher.ask('a', AbortSignal.abort(reason))[0]).rejects.toBe(reason);
  expect(batcher.calls).toHaveLength(0);
});

it('an aborted item is removed from the queue at once, and leaves no timer behind', async () => {
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

it('an aborted item does not stop its call for the others', async () => {
  const controller = new AbortController();
  const [a] = batcher.ask('a', controller.signal);
  const [b] = batcher.ask('b');
  await turn();
  controller.abort(reason);
  await expect(a).rejects.toBe(reason);
  expect(batcher.calls[0]?.signal.aborted).toBe(false);
  batcher.calls[0]?.succeed();
  expect(await b).toBe('B');
});

it('a call whose items are all aborted is aborted, and counts as under way until it has ended', async () => {
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

it('an aborted item that was to be run alone does not stop the others that are', async () => {
  const controller = new AbortController();
  const [a] = batcher.ask('ab');
  await turn();
  batcher.add('c', controller.signal);
  batcher.calls[0]?.fail(new Error('bad item'));
  await Promise.resolve();
  controller.abort(reason);
  await turn();
  expect(batcher.batches()).toEqual(['ab', 'a', 'b']);
  batcher.calls[1]?.succeed();
  expect(await a).toBe('A');
});

it('an item that is aborted because another item failed is not sent any more', async () => {
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

it('an aborted item is not run alone after its call failed', async () => {
  const controller = new AbortController();
  batcher.add('a', controller.signal);
  batcher.add('b');
  await turn();
  controller.abort(reason);
  batcher.calls[0]?.fail(new Error('bad item'));
  await turn();
  expect(batcher.batches()).toEqual(['ab', 'b']);
});

it('an item with a result has no listener on its signal any more', async () => {
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, 'removeEventListener');
  const results = batcher.ask('abc', signal);
  batcher.calls[0]?.succeed();
  await Promise.all(results);
  expect(removed).toHaveBeenCalledTimes(3);
  expect(batcher.calls[0]?.signal.aborted).toBe(false);
});
