import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, startPrivateRedis, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { replyLosingProxyForTest } from '../../test/reply-losing-proxy.js';
import {
  cancelledEvent,
  completedEvent,
  deltaEvent,
  failedEvent,
  resetEvent,
  statusEvent,
} from '../../test/run-events.js';
import { redisKeys } from '../redis/index.js';
import { Fenced, RunEnded, RunLog } from './run-log.js';
import { parsePublished, type RunLogEntry } from './run-log-entry.js';

let url: string;
let redis: Redis;
let log: RunLog;
let runId: string;
let published: RunLogEntry[];

beforeAll(async () => {
  url = await testRedisUrl();
});

beforeEach(async () => {
  runId = randomUUID();
  redis = redisForTest(url);
  log = new RunLog(redis);
  const heard: RunLogEntry[] = [];
  published = heard;
  const subscriber = redisForTest(url, 'subscriber');
  subscriber.on('message', (_, message: string) => heard.push(parsePublished(message)));
  await subscriber.subscribe(redisKeys.runChannel(runId));
});

const sequences = (entries: readonly RunLogEntry[]) => entries.map(({ seq }) => seq);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const wholeLog = () => log.read(runId, 0, 100_000);
/** Messages arrive a moment after the reply to the append. */
const expectPublished = (expected: readonly RunLogEntry[]) =>
  eventually(() => expect(published).toEqual(expected));

describe('append', () => {
  it('an append stores and publishes the same entries, with the JSON text that clients get', async () => {
    const text = 'two  spaces, "quotes", \n, \u{1F916}, \ud83d, é';
    expect(await log.append(runId, 0, [statusEvent(runId), deltaEvent(runId, text)])).toBe(2);
    const entries = await wholeLog();
    expect(entries).toEqual([
      { seq: 1, type: 'status', data: JSON.stringify({ request_id: runId, state: 'generating' }) },
      { seq: 2, type: 'delta', data: JSON.stringify({ request_id: runId, text }) },
    ]);
    expect(JSON.parse(entries[1]?.data ?? '')).toEqual({ request_id: runId, text });
    await expectPublished(entries);
  });

  it('events are numbered 1, 2, 3 … without a gap when many connections append at once', async () => {
    const writers = Array.from({ length: 8 }, () => new RunLog(redisForTest(url)));
    const write = (writer: RunLog, name: number) =>
      Array.from({ length: 50 }, (_, n) => {
        const events = Array.from({ length: 1 + (n % 3) }, (__, part) =>
          deltaEvent(runId, `${name}.${n}.${part}`),
        );
        return writer.append(runId, 0, events);
      });
    await Promise.all(writers.flatMap(write));
    const entries = await wholeLog();
    expect(sequences(entries)).toEqual(upTo(792));
    expect(new Set(entries.map(({ data }) => data)).size).toBe(792);
    await expectPublished(entries);
  });

  it('an empty append is a no-op', async () => {
    expect(await log.append(runId, 1, [], 7)).toBe(7);
    expect(await redis.exists(redisKeys.runLog(runId))).toBe(0);
  });

  it('an error of Redis is reported as it is, not as a fence', async () => {
    await redis.set(redisKeys.runLog(runId), 'not a stream');
    await expect(log.append(runId, 0, [statusEvent(runId)])).rejects.toThrow('WRONGTYPE');
  });
});

describe('fence', () => {
  it('the fence accepts appends of the same and of a later attempt', async () => {
    await log.append(runId, 0, [statusEvent(runId)]);
    await log.append(runId, 1, [statusEvent(runId)]);
    await log.append(runId, 1, [statusEvent(runId)]);
    expect(await log.append(runId, 12, [statusEvent(runId)])).toBe(4);
  });

  it.each([1, 2, 9])(
    'the fence refuses attempt %i after attempt 10, and nothing is stored or published',
    async (attempt) => {
      await log.append(runId, 0, [statusEvent(runId)]);
      await log.append(runId, 10, [statusEvent(runId)]);
      for (const base of [-1, 0, 1, 5]) {
        await expect(log.append(runId, attempt, [deltaEvent(runId, 'stale')], base)).rejects.toThrow(Fenced);
      }
      expect(await log.append(runId, 10, [deltaEvent(runId, 'mine')])).toBe(3);
      const entries = await wholeLog();
      expect(entries.map(({ type }) => type)).toEqual(['status', 'status', 'delta']);
      await expectPublished(entries);
    },
  );

  it.each([completedEvent, failedEvent, cancelledEvent])(
    'a log with a terminal event refuses every attempt: %o',
    async (ending) => {
      await log.append(runId, 0, [statusEvent(runId)]);
      await log.append(runId, 2, [ending(runId)]);
      for (const [attempt, base] of [
        [2, -1],
        [2, 0],
        [2, 1],
        [2, 2],
        [2, 9],
        [3, -1],
        [3, 2],
      ] as const) {
        await expect(log.append(runId, attempt, [deltaEvent(runId, 'late')], base)).rejects.toThrow(RunEnded);
      }
      await expect(log.append(runId, 1, [deltaEvent(runId, 'late')])).rejects.toThrow(Fenced);
      const entries = await wholeLog();
      expect(sequences(entries)).toEqual([1, 2]);
      await expectPublished(entries);
    },
  );
});

describe('repeated appends', () => {
  it('an append that is repeated because its reply was lost is neither stored nor published twice', async () => {
    const base = await log.append(runId, 0, [statusEvent(runId)]);
    const events = [deltaEvent(runId, 'a'), deltaEvent(runId, 'b')];
    expect(await log.append(runId, 1, events, base)).toBe(3);
    expect(await log.append(runId, 1, events, base)).toBe(3);
    expect(await log.append(runId, 1, [deltaEvent(runId, 'c')], 3)).toBe(4);
    const entries = await wholeLog();
    expect(sequences(entries)).toEqual(upTo(4));
    await expectPublished(entries);
  });

  it('a repeated append of the terminal event returns the same sequence', async () => {
    const base = await log.append(runId, 0, [statusEvent(runId)]);
    expect(await log.append(runId, 1, [completedEvent(runId)], base)).toBe(2);
    expect(await log.append(runId, 1, [completedEvent(runId)], base)).toBe(2);
    await expectPublished(await wholeLog());
  });

  it.each([
    ['the first append of an attempt', -1],
    ['a later append', 1],
  ])(
    'an append that the Redis client repeats after a broken connection is stored once: %s',
    async (_, base) => {
      await log.append(runId, 0, [statusEvent(runId)]);
      const proxy = await replyLosingProxyForTest(url);
      const throughProxy = redisForTest(proxy.url);
      await throughProxy.ping();
      const attempt = base < 0 ? 2 : 1;
      proxy.loseNextReply();
      expect(await new RunLog(throughProxy).append(runId, attempt, [deltaEvent(runId, 'once')], base)).toBe(
        2,
      );
      expect(proxy.lost).toBe(1);
      const entries = await wholeLog();
      expect(entries.map(({ type }) => type)).toEqual(['status', 'delta']);
      await expectPublished(entries);
    },
  );
});

describe('wiped log', () => {
  it('a wiped log continues behind the last sequence of its writer, so that no number names two events', async () => {
    const base = await log.append(
      runId,
      0,
      upTo(5).map((n) => deltaEvent(runId, `${n}`)),
    );
    await redis.del(redisKeys.runLog(runId));
    expect(await log.append(runId, 1, [deltaEvent(runId, '6')], base)).toBe(6);
    expect(sequences(await wholeLog())).toEqual([6]);
  });

  it('a wiped log expires even if only deltas are written to it afterwards', async () => {
    const base = await log.append(runId, 0, [statusEvent(runId)]);
    await redis.del(redisKeys.runLog(runId));
    await log.append(runId, 1, [deltaEvent(runId, 'a')], base);
    expect(await redis.ttl(redisKeys.runLog(runId))).toBeGreaterThan(0);
  });
});

describe('limits', () => {
  const limits = { maxLength: 10, liveTtlSeconds: 5000, endedTtlSeconds: 500, maxEnded: 5 };

  it('a log keeps only its newest entries', async () => {
    const bounded = new RunLog(redis, limits);
    await bounded.append(
      runId,
      0,
      upTo(25).map((n) => deltaEvent(runId, `${n}`)),
    );
    expect(await bounded.append(runId, 1, [deltaEvent(runId, '26')])).toBe(26);
    expect(sequences(await wholeLog())).toEqual(upTo(26).slice(-10));
    expect((await bounded.lastEntry(runId))?.seq ?? 0).toBe(26);
  });

  it('a log expires late while its run goes on and soon after its end, and deltas leave the expiry alone', async () => {
    const bounded = new RunLog(redis, limits);
    const key = redisKeys.runLog(runId);
    await bounded.append(runId, 0, [statusEvent(runId)]);
    expect(await redis.ttl(key)).toBeGreaterThan(4900);
    await redis.expire(key, 100);
    await bounded.append(runId, 1, [deltaEvent(runId, 'a')]);
    expect(await redis.ttl(key)).toBeLessThanOrEqual(100);
    await bounded.append(runId, 1, [statusEvent(runId)]);
    expect(await redis.ttl(key)).toBeGreaterThan(4900);
    await bounded.append(runId, 1, [completedEvent(runId)]);
    expect(await redis.ttl(key)).toBeGreaterThan(400);
    expect(await redis.ttl(key)).toBeLessThanOrEqual(500);
  });
});

describe('finished logs', () => {
  const limits = { maxLength: 10, liveTtlSeconds: 500, endedTtlSeconds: 500, maxEnded: 3 };
  beforeEach(() => redis.del(redisKeys.endedLogs));

  it('the oldest logs of finished runs are removed, those of unfinished runs stay', async () => {
    const bounded = new RunLog(redis, limits);
    await bounded.append(runId, 0, [statusEvent(runId)]);
    const ended = Array.from({ length: 5 }, () => randomUUID());
    for (const [i, id] of ended.entries()) {
      await bounded.append(id, 1, [completedEvent(id)]);
      await eventually(async () => expect(await redis.zcard(redisKeys.endedLogs)).toBe(i + 1));
      // The list's scores are milliseconds.
      await sleep(2);
    }
    expect(await bounded.forgetOldest()).toBe(2);
    expect(await bounded.forgetOldest()).toBe(0);
    const kept = await Promise.all(ended.map((id) => redis.exists(redisKeys.runLog(id))));
    expect(kept).toEqual([0, 0, 1, 1, 1]);
    expect(await redis.exists(redisKeys.runLog(runId))).toBe(1);
  });

  it('expired logs do not count as finished logs', async () => {
    const bounded = new RunLog(redis, limits);
    for (const [at, id] of [
      [1, 'expired'],
      [2, 'expired too'],
      [Date.now(), 'young'],
    ] as const)
      await redis.zadd(redisKeys.endedLogs, at, id);
    await bounded.forgetOldest();
    expect(await redis.zrangebyscore(redisKeys.endedLogs, 0, '+inf')).toEqual(['young']);
  });
});

describe('lost log', () => {
  it('a lost log continues above every number that earlier attempts may have used', async () => {
    const seen = await log.append(runId, 1, [statusEvent(runId), deltaEvent(runId, 'a')]);
    await redis.del(redisKeys.runLog(runId));
    const next = await log.append(runId, 2, [resetEvent(runId)]);
    expect(next).toBeGreaterThan(seen + 10_000);
    await redis.del(redisKeys.runLog(runId));
    expect(await log.append(runId, 3, [resetEvent(runId, 3)])).toBeGreaterThan(next + 10_000);
  });

  it('a log whose restarted Redis lost its last entries continues above every number that may have been used', async () => {
    const store = await startPrivateRedis();
    onTestFinished(() => store.cleanup());
    const client = redisForTest(store.url);
    const lossy = new RunLog(client);
    await lossy.append(runId, 0, [statusEvent(runId)]);
    const seen = await lossy.append(runId, 1, [statusEvent(runId), deltaEvent(runId, 'a')]);
    // As after a crash that lost the last second: only the first entry is left.
    await client.xtrim(redisKeys.runLog(runId), 'MAXLEN', 3);
    await client.xdel(redisKeys.runLog(runId), '2-0', '3-0');
    await store.restart();
    const next = await lossy.append(runId, 2, [resetEvent(runId)]);
    expect(next).toBeGreaterThan(seen + 10_000);
    expect(await lossy.append(runId, 2, [deltaEvent(runId, 'b')], next)).toBe(next + 1);
    // The same server has lost nothing, so the numbers stay dense.
    const third = await lossy.append(runId, 3, [resetEvent(runId, 3)]);
    expect(third).toBe(next + 2);
    await store.restart();
    await lossy.announce(runId, 3, completedEvent(runId));
    expect((await lossy.lastEntry(runId))?.seq).toBeGreaterThan(third + 10_000);
  });

  it.each([0, 1, 3])(
    'the terminal event of a lost log is above every number that %i attempts may have used',
    async (attempt) => {
      const shown = await log.append(runId, attempt, [statusEvent(runId)]);
      await redis.del(redisKeys.runLog(runId));
      await log.announce(runId, attempt, completedEvent(runId));
      expect((await log.lastEntry(runId))?.seq).toBeGreaterThan(shown + 10_000);
    },
  );

  it('a lost log that was started again while the run waited continues above every number that may have been used', async () => {
    await log.append(runId, 0, [statusEvent(runId)], 50);
    expect(await log.append(runId, 2, [statusEvent(runId)])).toBeGreaterThan(1_000_000);
    expect(await log.append(runId, 3, [statusEvent(runId)])).toBe(1_000_002);
  });
});

describe('read', () => {
  it('a read returns the entries after a sequence, oldest first, up to the given count', async () => {
    await log.append(
      runId,
      0,
      upTo(12).map((n) => deltaEvent(runId, `${n}`)),
    );
    expect(sequences(await log.read(runId, 0, 3))).toEqual([1, 2, 3]);
    expect(sequences(await log.read(runId, 9, 100))).toEqual([10, 11, 12]);
    expect(await log.read(runId, 12, 100)).toEqual([]);
    expect(await log.read(runId, 999, 100)).toEqual([]);
  });

  it('a read of a log that does not exist returns nothing', async () => {
    expect(await log.read(randomUUID(), 0, 10)).toEqual([]);
    expect((await log.lastEntry(randomUUID()))?.seq ?? 0).toBe(0);
  });
});

describe('bury', () => {
  const bury = (...runIds: string[]) =>
    log.bury(runIds.map((id) => ({ id, attempt: 1, endedAt: null, end: cancelledEvent(id) })));

  it('burying a log leaves only its terminal event, which followers get', async () => {
    await log.append(runId, 0, [statusEvent(runId), deltaEvent(runId, 'secret')]);
    await bury(runId);
    expect(await wholeLog()).toMatchObject([{ seq: 3, type: 'cancelled' }]);
    await eventually(() => expect(published.at(-1)).toMatchObject({ seq: 3, type: 'cancelled' }));
  });

  it.each([
    ['is under way', null, 3600],
    ['has ended half an hour ago', 1800, 1800],
    ['has ended long ago', 100_000, 60],
  ])(
    'the buried log of a run that %s expires when the log would have, after a minute at least',
    async (_, ago, seconds) => {
      const endedAt = ago === null ? null : new Date(Date.now() - ago * 1000);
      await log.bury([{ id: runId, attempt: 1, endedAt, end: cancelledEvent(runId) }]);
      const ttl = await redis.ttl(redisKeys.runLog(runId));
      expect(Math.abs(ttl - seconds)).toBeLessThanOrEqual(2);
    },
  );

  it.each([
    ['under way', statusEvent],
    ['that has ended', completedEvent],
    ['whose log is not there', undefined],
  ])('a buried log refuses every append to a run %s', async (_, last) => {
    if (last) await log.append(runId, 0, [last(runId)]);
    await bury(runId);
    for (const [attempt, base] of [
      [1, -1],
      [1, 0],
      [1, 1],
      [2, -1],
    ] as const)
      await expect(log.append(runId, attempt, [completedEvent(runId)], base)).rejects.toThrow(RunEnded);
    await log.announce(runId, 1, completedEvent(runId));
    expect((await wholeLog()).map(({ type }) => type)).toEqual(['cancelled']);
  });

  it('thousands of logs are buried at once and leave the list of finished logs', async () => {
    const runIds = Array.from({ length: 2500 }, () => randomUUID());
    await Promise.all(runIds.map((id) => log.append(id, 0, [completedEvent(id)])));
    await bury(...runIds);
    const lasts = await Promise.all(runIds.map((id) => log.lastEntry(id)));
    expect(lasts.filter((last) => last?.type !== 'cancelled')).toEqual([]);
    expect((await redis.zmscore(redisKeys.endedLogs, ...runIds)).filter((score) => score !== null)).toEqual(
      [],
    );
    await bury();
  });
});
