import { randomUUID } from 'node:crypto';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { openTestDatabase, redisForTest } from '../../test/open-for-test.js';
import { completedEvent } from '../../test/run-events.js';
import { newRun } from '../../test/runs.js';
import {
  claimRun,
  finishRun,
  insertRuns,
  requestCancel,
  standingOf,
  type RunStanding,
} from '../database/index.js';
import { redisKeys } from '../redis/index.js';
import { Fenced, RunEnded } from '../run-log/index.js';
import { announceCancel } from './announce-cancel.js';
import { Cancellations, type CancellationOptions } from './cancellations.js';
import { RunCancelled } from './run-cancelled.js';

const NEVER_MS = 3_600_000;

async function start(url: string, options: Partial<CancellationOptions> = {}) {
  const subscriber = redisForTest(url, 'subscriber');
  const cancellations = new Cancellations(subscriber, {
    standingOf: () => Promise.resolve([]),
    pollEveryMs: NEVER_MS,
    ...options,
  });
  await cancellations.start();
  const listen = (runId: string) => {
    const watch = cancellations.listen(runId);
    onTestFinished(() => watch.release());
    return watch;
  };
  return { cancellations, subscriber, listen };
}

it('a cancel fires every watch of that run, in every process, and of no other run', async () => {
  const url = await testRedisUrl();
  const [first, second] = [await start(url), await start(url)];
  const runId = randomUUID();
  const watches = [first.listen(runId), first.listen(runId), second.listen(runId)];
  const other = first.listen(randomUUID());
  await announceCancel(redisForTest(url), runId);
  await eventually(() => expect(watches.map(({ signal }) => signal.aborted)).toEqual([true, true, true]));
  for (const { signal } of watches) expect(signal.reason).toBeInstanceOf(RunCancelled);
  expect(other.signal.aborted).toBe(false);
});

it('200 watches share one listener, and none is kept once it is released', async () => {
  const url = await testRedisUrl();
  const { cancellations, subscriber } = await start(url);
  const watches = Array.from({ length: 200 }, () => cancellations.listen(randomUUID()));
  expect(subscriber.listenerCount('message')).toBe(1);
  expect(cancellations.watchedCount).toBe(200);
  for (const { release } of watches) release();
  expect(cancellations.watchedCount).toBe(0);
});

it('a watch that was released does not fire, another of the same run does', async () => {
  const url = await testRedisUrl();
  const { cancellations, listen } = await start(url);
  const runId = randomUUID();
  const [gone, kept] = [cancellations.listen(runId), listen(runId)];
  gone.release();
  gone.release();
  await announceCancel(redisForTest(url), runId);
  await eventually(() => expect(kept.signal.aborted).toBe(true));
  expect(gone.signal.aborted).toBe(false);
});

it('a message on another channel of a shared connection cancels no run', async () => {
  const url = await testRedisUrl();
  const { subscriber, listen } = await start(url);
  const runId = randomUUID();
  const { signal } = listen(runId);
  const heard: string[] = [];
  subscriber.on('message', (channel: string) => heard.push(channel));
  const elsewhere = redisKeys.replyChannel(randomUUID());
  await subscriber.subscribe(elsewhere);
  await redisForTest(url).publish(elsewhere, runId);
  await eventually(() => expect(heard).toContain(elsewhere));
  expect(signal.aborted).toBe(false);
});

it('a cancel whose message was lost with the connection is found in Postgres', async () => {
  const { db, close } = await openTestDatabase();
  onTestFinished(close);
  const runs = [newRun(), newRun()] as const;
  await insertRuns(db, runs);
  const url = await testRedisUrl();
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  const { listen } = await start(proxy.url, {
    standingOf: (ids) => standingOf(db, ids),
    pollEveryMs: 20,
  });
  const [cancelled, wanted] = [listen(runs[0].id), listen(runs[1].id)];
  await proxy.cut();
  await requestCancel(db, runs[0].id);
  await announceCancel(redisForTest(url), runs[0].id);
  await eventually(() => expect(cancelled.signal.aborted).toBe(true));
  expect(wanted.signal.aborted).toBe(false);
});

it('a run that another worker claims or ends after the claim fires its watch', async () => {
  const { db, close } = await openTestDatabase();
  onTestFinished(close);
  const runs = [newRun(), newRun(), newRun(), newRun()] as const;
  await insertRuns(db, runs);
  const { listen } = await start(await testRedisUrl(), {
    standingOf: (ids) => standingOf(db, ids),
    pollEveryMs: 20,
  });
  const [takenOver, ended, mine, unclaimed] = runs.map(({ id }) => listen(id));
  for (const [run, watch] of [
    [runs[0], takenOver],
    [runs[1], ended],
    [runs[2], mine],
  ] as const)
    watch?.claimedAs((await claimRun(db, run.id))?.attempt ?? 0);
  await claimRun(db, runs[0].id);
  await finishRun(db, runs[1].id, completedEvent(runs[1].id));
  await finishRun(db, runs[3].id, completedEvent(runs[3].id));
  await eventually(() => expect(takenOver?.signal.reason).toBeInstanceOf(Fenced));
  await eventually(() => expect(ended?.signal.reason).toBeInstanceOf(RunEnded));
  expect([mine?.signal.aborted, unclaimed?.signal.aborted]).toEqual([false, false]);
});

it('one query at a time polls all runs, and polling continues after a failure of Postgres', async () => {
  const asked: string[][] = [];
  let answer: (standing: RunStanding[]) => void = () => {};
  const { listen } = await start(await testRedisUrl(), {
    pollEveryMs: 5,
    standingOf(ids) {
      asked.push(ids);
      if (asked.length === 1) return Promise.reject(new Error('away'));
      return new Promise((resolve) => (answer = resolve));
    },
  });
  const runs = [randomUUID(), randomUUID()] as const;
  const watches = runs.map((id) => listen(id));
  await eventually(() => expect(asked.length).toBe(2));
  expect(asked[1]).toEqual(runs);
  expect(watches.some(({ signal }) => signal.aborted)).toBe(false);
  answer([{ id: runs[1], attempt: 1, cancelRequested: true, hasEnded: false }]);
  await eventually(() => expect(watches.map(({ signal }) => signal.aborted)).toEqual([false, true]));
});

it('Postgres is polled only while a run is watched', async () => {
  const url = await testRedisUrl();
  const looks = { first: 0, second: 0 };
  const counting = (name: keyof typeof looks): Partial<CancellationOptions> => ({
    pollEveryMs: 1,
    standingOf: () => Promise.resolve((looks[name]++, [])),
  });
  const [first, second] = [await start(url, counting('first')), await start(url, counting('second'))];
  const { release } = first.cancellations.listen(randomUUID());
  await eventually(() => expect(looks.first).toBeGreaterThan(1));
  release();
  const before = looks.first;
  second.listen(randomUUID());
  await eventually(() => expect(looks.second).toBeGreaterThan(5));
  expect(looks.first).toBe(before);
  first.listen(randomUUID());
  await eventually(() => expect(looks.first).toBeGreaterThan(before));
});
