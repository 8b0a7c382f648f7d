import { markAsPostgres } from '@quire/shared/errors';
import { expect, it } from 'vitest';
import { WriteCheck } from './write-check.js';

const NEVER_AGAIN_MS = Number.MAX_SAFE_INTEGER;
const EACH_TIME_MS = 0;
const FULL = 'The database cannot store data: its disk is full';
const diskFull = () =>
  markAsPostgres(Object.assign(new Error('could not extend file "base/1/2"'), { code: '53100' }));

it('health requests within one interval share one trial write', async () => {
  let trials = 0;
  const writes = new WriteCheck(async () => void (trials += 1), NEVER_AGAIN_MS);
  expect(await Promise.all([writes.problem(), writes.problem()])).toEqual([undefined, undefined]);
  expect(await writes.problem()).toBeUndefined();
  expect(trials).toBe(1);
});

it('a refused trial write is reported with its cause until a trial succeeds', async () => {
  let isFull = true;
  const tryWrite = async () => {
    if (isFull) throw diskFull();
  };
  const writes = new WriteCheck(tryWrite, EACH_TIME_MS);
  expect(await writes.problem()).toBe(FULL);
  isFull = false;
  expect(await writes.problem()).toBeUndefined();
});

it("a request's refused write is reported at once, even after a successful trial, until a request's write succeeds", async () => {
  const writes = new WriteCheck(async () => {}, NEVER_AGAIN_MS);
  expect(await writes.problem()).toBeUndefined();
  writes.refused(diskFull());
  expect(await writes.problem()).toBe(FULL);
  writes.succeeded();
  expect(await writes.problem()).toBeUndefined();
});

it("a request's refused write is forgotten when a later trial succeeds", async () => {
  const writes = new WriteCheck(async () => {}, EACH_TIME_MS);
  writes.refused(diskFull());
  expect(await writes.problem()).toBeUndefined();
});

it("a request's successful write does not hide a refused trial", async () => {
  const writes = new WriteCheck(() => Promise.reject(diskFull()), NEVER_AGAIN_MS);
  expect(await writes.problem()).toBe(FULL);
  writes.succeeded();
  expect(await writes.problem()).toBe(FULL);
});

it('a defect, or a lock that another transaction holds, is not reported as a problem of the store', async () => {
  const locked = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
  const writes = new WriteCheck(() => Promise.reject(locked), EACH_TIME_MS);
  writes.refused(new TypeError('x is not a function'));
  expect(await writes.problem()).toBeUndefined();
});
