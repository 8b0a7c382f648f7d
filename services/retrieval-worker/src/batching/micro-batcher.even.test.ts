import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openBatcher, turn, WINDOW_MS } from '../../test/a-batcher.js';
import { MicroBatcher } from './micro-batcher.js';

const CALL_MS = 50;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** After a call of one item, with `ab` under way. */
async function openBusy() {
  const batcher = openBatcher({ evenCalls: true, maxBatch: 10 });
  batcher.add('x');
  await vi.advanceTimersByTimeAsync(CALL_MS);
  batcher.calls[0]?.succeed();
  await turn();
  batcher.add('ab');
  await turn();
  return batcher;
}

it('a batcher of even calls begins another call when it is as full as one under way', async () => {
  const batcher = await openBusy();
  batcher.add('c');
  await vi.advanceTimersByTimeAsync(WINDOW_MS * 2);
  expect(batcher.batches()).toEqual(['x', 'ab']);
  batcher.add('d');
  await vi.advanceTimersByTimeAsync(WINDOW_MS);
  expect(batcher.batches()).toEqual(['x', 'ab', 'cd']);
});

it('a batcher of even calls sends the items in its queue when a call returns', async () => {
  const batcher = await openBusy();
  batcher.add('c');
  batcher.calls[1]?.succeed();
  await turn();
  expect(batcher.batches()).toEqual(['x', 'ab', 'c']);
});

it('a batcher of even calls waits while another call under way is fuller', async () => {
  const batcher = await openBusy();
  batcher.add('cd');
  await vi.advanceTimersByTimeAsync(WINDOW_MS);
  batcher.add('e');
  batcher.calls[1]?.succeed();
  await turn();
  expect(batcher.batches()).toEqual(['x', 'ab', 'cd']);
  batcher.calls[2]?.succeed();
  await turn();
  expect(batcher.batches()).toEqual(['x', 'ab', 'cd', 'e']);
});

it('a batcher of even calls waits for a call that hangs no longer than the last call took', async () => {
  const batcher = await openBusy();
  batcher.add('c');
  await vi.advanceTimersByTimeAsync(CALL_MS - 1);
  expect(batcher.batches()).toEqual(['x', 'ab']);
  await vi.advanceTimersByTimeAsync(1);
  expect(batcher.batches()).toEqual(['x', 'ab', 'c']);
});

it('a batcher of even calls sends a single item beside a call with a single item', async () => {
  const batcher = openBatcher({ evenCalls: true });
  batcher.add('a');
  await turn();
  batcher.add('b');
  await vi.advanceTimersByTimeAsync(WINDOW_MS);
  expect(batcher.batches()).toEqual(['a', 'b']);
});

const ASKERS = 32;
const RUN_MS = 5000;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Results in simulated time, relative to calls of one item one after the other. */
async function gain(evenCalls: boolean): Promise<number> {
  let provider = Promise.resolve();
  let processor = Promise.resolve();
  let results = 0;
  const { signal } = new AbortController();
  const batcher = new MicroBatcher<number, number>({
    maxBatch: 96,
    maxInFlight: 2,
    windowMs: 3,
    evenCalls,
    async run(items) {
      provider = provider.then(() => sleep(CALL_MS));
      await provider;
      return items;
    },
  });
  const askOnAndOn = async (asker: number) => {
    for (;;) {
      await batcher.add(asker, signal);
      results += 1;
      // The time between a result and the next question: a CPU that all callers share, and the network.
      processor = processor.then(() => sleep(2));
      await processor;
      await sleep(5);
    }
  };
  for (let asker = 0; asker < ASKERS; asker += 1) void askOnAndOn(asker);
  await vi.advanceTimersByTimeAsync(RUN_MS);
  return results / (RUN_MS / CALL_MS);
}

it('32 callers of a provider that takes 50 ms a call get over eight times the results of unshared calls, and most with even calls', async () => {
  expect(await gain(false)).toBeGreaterThan(8);
  expect(await gain(true)).toBeGreaterThan(14);
});
