import { expect, it, vi } from 'vitest';
import { RequestPace } from './request-pace.js';

const { signal } = new AbortController();

/** Work that goes on until it is ended. */
function openEnded() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { ended, end: () => end() };
}

it('no more requests run at once than the limit allows', async () => {
  const pace = new RequestPace(2);
  const works = Array.from({ length: 5 }, openEnded);
  let [running, most] = [0, 0];
  const all = works.map(({ ended }) =>
    pace.run(async () => {
      running += 1;
      most = Math.max(most, running);
      await ended;
      running -= 1;
    }, signal),
  );
  await expect.poll(() => running).toBe(2);
  for (const { end } of works) end();
  await Promise.all(all);
  expect(most).toBe(2);
});

it('requests that wait for others are never made once the signal has fired', async () => {
  const pace = new RequestPace(1);
  const first = openEnded();
  const running = pace.run(() => first.ended, signal);
  const user = new AbortController();
  const work = vi.fn<() => Promise<void>>();
  const waiting = pace.run(work, user.signal);
  const reason = new Error('enough');
  user.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  first.end();
  await running;
  await pace.run(async () => {}, signal);
  expect(work).not.toHaveBeenCalled();
});

const standingClock = (sleeps: number[]) => ({
  now: () => 1000,
  sleep: async (ms: number) => void sleeps.push(ms),
});

it('requests start at once when the site asks for no delay', async () => {
  const sleeps: number[] = [];
  const pace = new RequestPace(2, standingClock(sleeps));
  for (let i = 0; i < 3; i += 1) await pace.turn(signal);
  expect(sleeps).toEqual([]);
});

it('requests start with the delay that the site asks for', async () => {
  const sleeps: number[] = [];
  const pace = new RequestPace(2, standingClock(sleeps));
  pace.delayMs = 300;
  for (let i = 0; i < 3; i += 1) await pace.turn(signal);
  expect(sleeps).toEqual([300, 600]);
});

it('requests wait for the longest pause', async () => {
  const sleeps: number[] = [];
  const pace = new RequestPace(2, standingClock(sleeps));
  pace.pause(500);
  pace.pause(200);
  await pace.turn(signal);
  expect(sleeps).toEqual([500]);
});

it('requests do not start once the signal has fired', async () => {
  const reason = new Error('enough');
  await expect(new RequestPace(1).turn(AbortSignal.abort(reason))).rejects.toBe(reason);
});
