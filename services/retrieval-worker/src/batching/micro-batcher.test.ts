import { DependencyUnavailable } from '@quire/shared/errors';
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

it('an idle batcher calls without delay, with all items of the same turn of the event loop', async () => {
  batcher.add('a');
  await Promise.resolve();
  batcher.add('b');
  await turn();
  expect(batcher.batches()).toEqual(['ab']);
});

it('a full batch is sent before the turn of the event loop ends', () => {
  batcher.add('abc');
  expect(batcher.batches()).toEqual(['abc']);
});

it('items are collected for the window while a call is under way', async () => {
  batcher.add('a');
  await turn();
  batcher.add('b');
  await vi.advanceTimersByTimeAsync(WINDOW_MS - 1);
  batcher.add('c');
  expect(batcher.batches()).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(1);
  expect(batcher.batches()).toEqual(['a', 'bc']);
});

it('a full batch does not wait for the window while a call is under way', async () => {
  batcher.add('a');
  await turn();
  batcher.add('bcd');
  expect(batcher.batches()).toEqual(['a', 'bcd']);
});

it('items wait for a call to return while as many calls as allowed are under way, and are sent in order of arrival', async () => {
  batcher.add('abcdefg');
  expect(vi.getTimerCount()).toBe(0);
  batcher.add('hij');
  await vi.advanceTimersByTimeAsync(WINDOW_MS * 10);
  expect(batcher.batches()).toEqual(['abc', 'def']);
  batcher.calls[1]?.succeed();
  await turn();
  expect(batcher.batches()).toEqual(['abc', 'def', 'ghi']);
  batcher.calls[0]?.fail(new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'away'));
  await turn();
  expect(batcher.batches()).toEqual(['abc', 'def', 'ghi', 'j']);
});

it('the window ends when no call is under way any more', async () => {
  batcher.add('a');
  await turn();
  batcher.add('b');
  batcher.calls[0]?.succeed();
  await turn();
  expect(batcher.batches()).toEqual(['a', 'b']);
});

it('the next item after a call of several items waits for the window', async () => {
  batcher.add('ab');
  await turn();
  batcher.calls[0]?.succeed();
  await turn();
  batcher.add('c');
  await vi.advanceTimersByTimeAsync(WINDOW_MS - 1);
  batcher.add('d');
  expect(batcher.batches()).toEqual(['ab']);
  await vi.advanceTimersByTimeAsync(1);
  expect(batcher.batches()).toEqual(['ab', 'cd']);
});

it.each([
  ['after a call of one item', 'a', 0],
  ['long after a call of several', 'ab', 300],
])('%s the next item does not wait for the window', async (_, letters, laterMs) => {
  batcher.add(letters);
  await turn();
  batcher.calls[0]?.succeed();
  await vi.advanceTimersByTimeAsync(laterMs);
  batcher.add('c');
  await turn();
  expect(batcher.batches()).toEqual([letters, 'c']);
});

it('onBatch gets the size of each call', async () => {
  const onBatch = vi.fn<(size: number) => void>();
  batcher = openBatcher({ onBatch });
  batcher.add('abcd');
  await vi.advanceTimersByTimeAsync(WINDOW_MS);
  expect(onBatch.mock.calls).toEqual([[3], [1]]);
});

it('each item gets its own result', async () => {
  const results = batcher.ask('abc');
  batcher.calls[0]?.succeed();
  expect(await Promise.all(results)).toEqual(['A', 'B', 'C']);
});

const away = new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'away');
const defect = new Error('bad item');

it('all items of a call that fails because a dependency is away get its error', async () => {
  const results = batcher.ask('abc');
  batcher.calls[0]?.fail(away);
  expect(await Promise.allSettled(results)).toEqual(
    Array.from({ length: 3 }, () => ({ status: 'rejected', reason: away })),
  );
  expect(batcher.calls).toHaveLength(1);
});

it('the items of a call that fails for another reason are each run alone once, before later items', async () => {
  const [a, b, c] = batcher.ask('abc');
  batcher.add('de');
  batcher.calls[0]?.fail(defect);
  await turn();
  expect(batcher.batches()).toEqual(['abc', 'a', 'b']);
  batcher.calls[1]?.succeed();
  batcher.calls[2]?.fail(defect);
  await turn();
  expect(batcher.batches()).toEqual(['abc', 'a', 'b', 'c', 'de']);
  batcher.calls[3]?.succeed();
  expect(await Promise.allSettled([a, b, c])).toEqual([
    { status: 'fulfilled', value: 'A' },
    { status: 'rejected', reason: defect },
    { status: 'fulfilled', value: 'C' },
  ]);
});

it('an item that was alone in a failed call is not run again', async () => {
  const [only] = batcher.ask('a');
  await turn();
  batcher.calls[0]?.fail(defect);
  await expect(only).rejects.toBe(defect);
  expect(batcher.calls).toHaveLength(1);
});

it('splitAfter decides after which failures the items are run alone', async () => {
  batcher = openBatcher({ splitAfter: () => false });
  const results = batcher.ask('abc');
  batcher.calls[0]?.fail(defect);
  await expect(Promise.any(results)).rejects.toBeInstanceOf(AggregateError);
  expect(batcher.calls).toHaveLength(1);
});

it("a call with too few results fails instead of giving an item another one's result", async () => {
  batcher = openBatcher({ run: () => Promise.resolve(['only one']), splitAfter: () => false });
  await expect(batcher.ask('abc')[0]).rejects.toThrow('A batch of 3 items had 1 results');
});
