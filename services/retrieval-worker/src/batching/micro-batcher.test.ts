import { DependencyUnavailable } from '@quire/shared/errors';
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

describe('when a call is made', () => {
  test('an idle batcher calls without any wait, with all that came in the same turn', async () => {
    batcher.add('a');
    await Promise.resolve();
    batcher.add('b');
    await turn();
    expect(batcher.batches()).toEqual(['ab']);
  });

  test('a full batch does not even wait for the turn to end', () => {
    batcher.add('abc');
    expect(batcher.batches()).toEqual(['abc']);
  });

  test('while a call is under way, items gather for the window', async () => {
    batcher.add('a');
    await turn();
    batcher.add('b');
    await vi.advanceTimersByTimeAsync(WINDOW_MS - 1);
    batcher.add('c');
    expect(batcher.batches()).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1);
    expect(batcher.batches()).toEqual(['a', 'bc']);
  });

  test('while a call is under way, a full batch does not wait for the window', async () => {
    batcher.add('a');
    await turn();
    batcher.add('bcd');
    expect(batcher.batches()).toEqual(['a', 'bcd']);
  });

  test('with as many calls as allowed, items gather until one returns, and go in the order they came', async () => {
    batcher.add('abcdefg');
    expect(vi.getTimerCount()).toBe(0);
    batcher.add('hij');
    await vi.advanceTimersByTimeAsync(WINDOW_MS * 10);
    expect(batcher.batches()).toEqual(['abc', 'def']);
    batcher.calls[1]?.answer();
    await turn();
    expect(batcher.batches()).toEqual(['abc', 'def', 'ghi']);
    batcher.calls[0]?.fail(new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'away'));
    await turn();
    expect(batcher.batches()).toEqual(['abc', 'def', 'ghi', 'j']);
  });

  test('the window is not waited for when no call is under way any more', async () => {
    batcher.add('a');
    await turn();
    batcher.add('b');
    batcher.calls[0]?.answer();
    await turn();
    expect(batcher.batches()).toEqual(['a', 'b']);
  });

  test('after a call of several items company is expected: the next item waits for the window', async () => {
    batcher.add('ab');
    await turn();
    batcher.calls[0]?.answer();
    await turn();
    batcher.add('c');
    await vi.advanceTimersByTimeAsync(WINDOW_MS - 1);
    batcher.add('d');
    expect(batcher.batches()).toEqual(['ab']);
    await vi.advanceTimersByTimeAsync(1);
    expect(batcher.batches()).toEqual(['ab', 'cd']);
  });

  test.each([
    ['after a call of one item', 'a', 0],
    ['long after a call of several', 'ab', 300],
  ])('%s no company is expected', async (_, letters, laterMs) => {
    batcher.add(letters);
    await turn();
    batcher.calls[0]?.answer();
    await vi.advanceTimersByTimeAsync(laterMs);
    batcher.add('c');
    await turn();
    expect(batcher.batches()).toEqual([letters, 'c']);
  });

  test('the size of each call is told', async () => {
    const onBatch = vi.fn<(size: number) => void>();
    batcher = openBatcher({ onBatch });
    batcher.add('abcd');
    await vi.advanceTimersByTimeAsync(WINDOW_MS);
    expect(onBatch.mock.calls).toEqual([[3], [1]]);
  });
});

test('each item gets its own result', async () => {
  const results = batcher.ask('abc');
  batcher.calls[0]?.answer();
  expect(await Promise.all(results)).toEqual(['A', 'B', 'C']);
});

describe('when a call fails', () => {
  const away = new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'away');
  const defect = new Error('bad item');

  test('because a dependency is away, all its items get the error', async () => {
    const results = batcher.ask('abc');
    batcher.calls[0]?.fail(away);
    expect(await Promise.allSettled(results)).toEqual(
      Array.from({ length: 3 }, () => ({ status: 'rejected', reason: away })),
    );
    expect(batcher.calls).toHaveLength(1);
  });

  test('for any other reason, each item is run alone once, before those that came later', async () => {
    const [a, b, c] = batcher.ask('abc');
    batcher.add('de');
    batcher.calls[0]?.fail(defect);
    await turn();
    expect(batcher.batches()).toEqual(['abc', 'a', 'b']);
    batcher.calls[1]?.answer();
    batcher.calls[2]?.fail(defect);
    await turn();
    expect(batcher.batches()).toEqual(['abc', 'a', 'b', 'c', 'de']);
    batcher.calls[3]?.answer();
    expect(await Promise.allSettled([a, b, c])).toEqual([
      { status: 'fulfilled', value: 'A' },
      { status: 'rejected', reason: defect },
      { status: 'fulfilled', value: 'C' },
    ]);
  });

  test('an item that was alone anyway is not run again', async () => {
    const [only] = batcher.ask('a');
    await turn();
    batcher.calls[0]?.fail(defect);
    await expect(only).rejects.toBe(defect);
    expect(batcher.calls).toHaveLength(1);
  });

  test('its owner may say which failures are one item’s fault', async () => {
    batcher = openBatcher({ splitAfter: () => false });
    const results = batcher.ask('abc');
    batcher.calls[0]?.fail(defect);
    await expect(Promise.any(results)).rejects.toBeInstanceOf(AggregateError);
    expect(batcher.calls).toHaveLength(1);
  });

  test('too few results are a failure, not somebody else’s result', async () => {
    batcher = openBatcher({ run: () => Promise.resolve(['only one']), splitAfter: () => false });
    await expect(batcher.ask('abc')[0]).rejects.toThrow('A batch of 3 items had 1 results');
  });
});
