import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { eventually, testRedisUrl } from '@quire/testkit';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collect, CountingLog, gatewayForTest, nextEntry, type Gateway } from '../../test/followers.js';
import { redisForTest } from '../../test/open-for-test.js';
import { completedEvent, deltaEvent, queuedEvent, resetEvent, statusEvent } from '../../test/run-events.js';
import { redisKeys } from '../redis/redis-keys.js';
import { followRun } from './follow-run.js';
import { RunLog } from './run-log.js';
import type { RunLogEntry } from './run-log-entry.js';

const EVENTS = 500;

let url: string;
let writerLog: RunLog;
let gateway: Gateway;
let runId: string;

beforeAll(async () => {
  url = await testRedisUrl();
});

beforeEach(async () => {
  runId = randomUUID();
  writerLog = new RunLog(redisForTest(url));
  gateway = await gatewayForTest(url);
});

/** Appends `EVENTS` deltas one or a few at a time, then the end. */
async function writeRun(id: string, onProgress: (written: number) => void = () => {}): Promise<void> {
  let written = 0;
  while (written < EVENTS) {
    const batch = Math.min(1 + Math.floor(Math.random() * 3), EVENTS - written);
    const events = Array.from({ length: batch }, (_, index) => deltaEvent(id, `${written + index + 1},`));
    written = await writerLog.append(id, 1, events, written);
    onProgress(written);
  }
  await writerLog.append(id, 1, [completedEvent(id)], written);
}

const sequences = (entries: readonly RunLogEntry[]) => entries.map(({ seq }) => seq);
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe('every event once, in order', () => {
  it('a follower that starts after the end gets every event once, in order', async () => {
    await writeRun(runId);
    const entries = await collect(gateway.follow(runId));
    expect(sequences(entries)).toEqual(range(1, EVENTS + 1));
    expect(entries).toEqual(await writerLog.read(runId, 0, EVENTS + 1));
  });

  it('a follower that starts before the first event gets every event once, in order', async () => {
    const following = collect(gateway.follow(runId));
    await nextTurn();
    await writeRun(runId);
    expect(await following).toEqual(await writerLog.read(runId, 0, EVENTS + 1));
  });

  it('followers that start at any moment of a run all get every event once, in order', async () => {
    const rounds = Array.from({ length: 24 }, async () => {
      const id = randomUUID();
      const starts = Array.from({ length: 3 }, () => Math.floor(Math.random() * EVENTS));
      const followers: Promise<RunLogEntry[]>[] = [];
      await writeRun(id, (written) => {
        while (starts.some((start) => start <= written)) {
          starts.splice(
            starts.findIndex((start) => start <= written),
            1,
          );
          followers.push(collect(gateway.follow(id)));
        }
      });
      const [first = [], ...others] = await Promise.all(followers);
      expect(sequences(first)).toEqual(range(1, EVENTS + 1));
      expect(others).toEqual([first, first]);
    });
    await Promise.all(rounds);
  });

  it.each([0, 1, 63, 64, 65, EVENTS - 1, EVENTS])(
    'a follower that resumes after %i gets every later event once, in order',
    async (after) => {
      await writeRun(runId);
      expect(sequences(await collect(gateway.follow(runId, { after })))).toEqual(
        range(after + 1, EVENTS + 1),
      );
    },
  );

  it('a client that is cut off and resumes many times during a run gets every event once, in order', async () => {
    const rounds = Array.from({ length: 10 }, async () => {
      const id = randomUUID();
      const writing = writeRun(id);
      const entries: RunLogEntry[] = [];
      while (entries.at(-1)?.type !== 'completed') {
        const patience = 1 + Math.floor(Math.random() * 60);
        entries.push(...(await collect(gateway.follow(id, { after: entries.length }), patience)));
      }
      await writing;
      expect(sequences(entries)).toEqual(range(1, EVENTS + 1));
    });
    await Promise.all(rounds);
  });

  it('a slow reader gets what does not fit its buffer from the log', async () => {
    const log = new CountingLog(redisForTest(url));
    const following = followRun(log, gateway.hub, runId, {
      after: 0,
      signal: new AbortController().signal,
      maxBufferedBytes: 500,
    });
    const first = nextEntry(following);
    await writeRun(runId);
    const entries = [await first, ...(await collect(following))].filter((entry) => entry !== undefined);
    expect(sequences(entries)).toEqual(range(1, EVENTS + 1));
    // One read at the start, and at least one more for what the buffer could not hold.
    expect(log.reads).toBeGreaterThan(1);
  });

  it.each([
    ['of one byte are kept', 'x', 0],
    ['of two bytes are read from the log', 'я', 1],
  ])('a slow reader counts bytes: of a buffer of 1,000 bytes, 600 letters %s', async (_, letter, looks) => {
    const log = new CountingLog(redisForTest(url));
    const following = followRun(log, gateway.hub, runId, {
      after: 0,
      signal: new AbortController().signal,
      maxBufferedBytes: 1000,
    });
    for (const seq of [1, 2]) {
      const next = nextEntry(following);
      await eventually(() => expect(gateway.hub.channelCount).toBe(1));
      await writerLog.append(runId, 0, [statusEvent(runId)]);
      expect((await next)?.seq).toBe(seq);
    }
    const before = log.reads;
    await writerLog.append(runId, 1, [deltaEvent(runId, letter.repeat(600))]);
    await sleep(200);
    expect((await nextEntry(following))?.seq).toBe(3);
    expect(log.reads - before).toBe(looks);
    await following.return();
  });

  it('a follower gets an event that is larger than its buffer', async () => {
    const following = gateway.follow(runId, { maxBufferedBytes: 10 });
    const first = nextEntry(following);
    await writerLog.append(runId, 0, [deltaEvent(runId, 'x'.repeat(10_000))]);
    expect((await first)?.seq).toBe(1);
    await writerLog.append(runId, 1, [completedEvent(runId)]);
    expect((await collect(following)).map(({ type }) => type)).toEqual(['completed']);
  });
});

describe('gaps', () => {
  const SHORT = { maxLength: 10, liveTtlSeconds: 100, endedTtlSeconds: 100, maxEnded: 5 };
  let shortLog: RunLog;

  beforeEach(() => {
    shortLog = new RunLog(redisForTest(url), SHORT);
  });

  const deltas = (count: number) => Array.from({ length: count }, (_, n) => deltaEvent(runId, `${n}`));
  const typesOf = (entries: readonly RunLogEntry[]) => entries.map(({ type }) => type);

  it('after a gap a follower withholds deltas, not other events, until the outcome', async () => {
    await shortLog.append(runId, 0, [...deltas(30), statusEvent(runId), ...deltas(3), completedEvent(runId)]);
    expect(typesOf(await collect(gateway.follow(runId)))).toEqual(['status', 'completed']);
  });

  it('after a gap a follower yields deltas again from a reset on', async () => {
    await shortLog.append(runId, 0, [...deltas(30), resetEvent(runId), ...deltas(2), completedEvent(runId)]);
    expect(typesOf(await collect(gateway.follow(runId)))).toEqual(['reset', 'delta', 'delta', 'completed']);
  });

  it('a gap before the first delta withholds no text', async () => {
    await writerLog.append(runId, 0, [queuedEvent(runId, 2)], 3000);
    await writerLog.append(runId, 1, [statusEvent(runId), deltaEvent(runId, 'all'), completedEvent(runId)]);
    const entries = await collect(gateway.follow(runId, { after: 5 }));
    expect(entries.map(({ type }) => type)).toEqual(['queued', 'status', 'delta', 'completed']);
  });

  it.each([
    ['stayed', 0],
    ['comes back', 5],
  ])('a client that %s gets all of a run whose log was lost before its first attempt', async (_, after) => {
    const places = Array.from({ length: 5 }, (__, n) => queuedEvent(runId, 5 - n));
    await writerLog.append(runId, 0, places);
    const following = gateway.follow(runId, { after });
    if (after === 0) for (const _place of places) await nextEntry(following);
    await redisForTest(url).del(redisKeys.runLog(runId));
    const story = [statusEvent(runId), deltaEvent(runId, 'all'), completedEvent(runId)];
    await writerLog.append(runId, 1, story);
    expect(typesOf(await collect(following))).toEqual(['status', 'delta', 'completed']);
  });

  it('a client that has all trimmed entries misses nothing', async () => {
    await shortLog.append(runId, 0, [...deltas(30), completedEvent(runId)]);
    expect(sequences(await collect(gateway.follow(runId, { after: 21 })))).toEqual(range(22, 31));
    expect(typesOf(await collect(gateway.follow(runId, { after: 20 })))).toEqual(['completed']);
  });

  it('a slow reader of a trimmed log gets the outcome instead of a mutilated answer', async () => {
    const following = gateway.follow(runId, { maxBufferedBytes: 10 });
    await shortLog.append(runId, 0, deltas(2));
    expect([await nextEntry(following), await nextEntry(following)]).toMatchObject([{ seq: 1 }, { seq: 2 }]);
    await shortLog.append(runId, 1, [...deltas(40), completedEvent(runId)]);
    expect(typesOf(await collect(following))).toEqual(['completed']);
  });
});

describe('abort', () => {
  it('an idle follower ends when it is aborted', async () => {
    const aborting = new AbortController();
    const following = gateway.follow(runId, { signal: aborting.signal });
    await writerLog.append(runId, 0, [statusEvent(runId)]);
    await nextEntry(following);
    const ended = nextEntry(following);
    await sleep(100);
    aborting.abort();
    expect(await ended).toBeUndefined();
    expect(gateway.hub.channelCount).toBe(0);
  });

  it('a follower that is aborted before its start yields nothing', async () => {
    await writerLog.append(runId, 0, [statusEvent(runId)]);
    expect(await collect(gateway.follow(runId, { signal: AbortSignal.abort() }))).toEqual([]);
    expect(gateway.hub.channelCount).toBe(0);
  });

  it('a follower that is aborted while it reads a long log ends', async () => {
    await writeRun(runId);
    const aborting = new AbortController();
    const following = gateway.follow(runId, { signal: aborting.signal });
    expect((await nextEntry(following))?.seq).toBe(1);
    aborting.abort();
    expect(await collect(following)).toEqual([]);
  });
});

it('a follower yields idle after each read of the log that finds nothing', async () => {
  const following = gateway.follow(runId, { idleRereadMs: 20 });
  for (let look = 0; look < 3; look += 1)
    expect(await following.next()).toEqual({ done: false, value: 'idle' });
  await following.return();
  expect(gateway.hub.channelCount).toBe(0);
});
