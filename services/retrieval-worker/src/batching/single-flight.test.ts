import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { SingleFlight } from './single-flight.js';

const unaborted = () => new AbortController().signal;

/** Work that ends when the test says so. */
function heldWork() {
  let finish: (value: string) => void = () => {};
  let fail: (error: Error) => void = () => {};
  let underWay: AbortSignal | undefined;
  const work = vi.fn((signal: AbortSignal) => {
    underWay = signal;
    return new Promise<string>((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
  });
  return {
    work,
    finish: (value: string) => finish(value),
    fail: (error: Error) => fail(error),
    aborted: () => underWay?.aborted,
  };
}

it('callers of the same key share the work under way, and a later caller starts it again', async () => {
  const flights = new SingleFlight<string>();
  const { work, finish } = heldWork();
  const both = [flights.join('key', unaborted(), work), flights.join('key', unaborted(), work)];
  finish('done');
  expect(await Promise.all(both)).toEqual(['done', 'done']);
  expect(work).toHaveBeenCalledTimes(1);
  expect(flights.has('key')).toBe(false);
  const later = flights.join('key', unaborted(), work);
  finish('again');
  expect(await later).toBe('again');
});

it('work of another key is not shared', async () => {
  const flights = new SingleFlight<string>();
  const done = ['a', 'b'].map((key) => flights.join(key, unaborted(), () => Promise.resolve(key)));
  expect(await Promise.all(done)).toEqual(['a', 'b']);
});

it('a failure rejects for all callers', async () => {
  const flights = new SingleFlight<string>();
  const { work, fail } = heldWork();
  const both = [flights.join('key', unaborted(), work), flights.join('key', unaborted(), work)];
  const error = new Error('away');
  fail(error);
  expect(await Promise.allSettled(both)).toEqual(both.map(() => ({ status: 'rejected', reason: error })));
  expect(flights.has('key')).toBe(false);
});

it('shared work is aborted when its last caller aborts, and not before', async () => {
  const flights = new SingleFlight<string>();
  const { work, aborted } = heldWork();
  const [first, second] = [new AbortController(), new AbortController()];
  const leaving = [first, second].map(({ signal }) => flights.join('key', signal, work));
  const reason = new Error('aborted by the caller');
  first.abort(reason);
  await expect(leaving[0]).rejects.toBe(reason);
  expect(aborted()).toBe(false);
  second.abort(reason);
  await expect(leaving[1]).rejects.toBe(reason);
  expect(aborted()).toBe(true);
});

it('a caller does not join work that is being aborted, and the end of that work leaves the new one alone', async () => {
  const flights = new SingleFlight<string>();
  const abandoned = heldWork();
  const controller = new AbortController();
  const leaving = flights.join('key', controller.signal, abandoned.work);
  controller.abort(new Error('aborted by the caller'));
  await expect(leaving).rejects.toThrow('aborted by the caller');
  const fresh = heldWork();
  const first = flights.join('key', unaborted(), fresh.work);
  abandoned.fail(new Error('aborted'));
  await turn();
  const second = flights.join('key', unaborted(), fresh.work);
  fresh.finish('fresh');
  expect(await Promise.all([first, second])).toEqual(['fresh', 'fresh']);
  expect(fresh.work).toHaveBeenCalledTimes(1);
});
