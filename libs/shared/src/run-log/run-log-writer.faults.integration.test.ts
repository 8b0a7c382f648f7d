import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { eventually, startPrivateRedis, startTcpProxy, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { randomCuts, randomText } from '../../test/random-text.js';
import { replyLosingProxyForTest } from '../../test/reply-losing-proxy.js';
import { completedEvent, statusEvent } from '../../test/run-events.js';
import { redisKeys } from '../redis/index.js';
import { RunLog } from './run-log.js';
import { RunLogWriter } from './run-log-writer.js';
import { floorOf } from './sequence.js';

let url: string;
let redis: Redis;
let log: RunLog;
let runId: string;

beforeAll(async () => {
  url = await testRedisUrl();
});

beforeEach(() => {
  runId = randomUUID();
  redis = redisForTest(url);
  log = new RunLog(redis);
});

const entriesOf = () => log.read(runId, 0, 100_000);

describe('faults while a writer appends', () => {
  async function writeThrough(throughUrl: string, text: string, disturb: (written: number) => Promise<void>) {
    const writer = new RunLogWriter(new RunLog(redisForTest(throughUrl)), runId, 1, {
      ms: 1,
      characters: 32,
    });
    for (const [index, piece] of randomCuts(text, 6).entries()) {
      writer.delta(piece);
      await nextTurn();
      await disturb(index);
    }
    await writer.emit(completedEvent(runId));
    const entries = await entriesOf();
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => (entries[0]?.seq ?? 0) + index));
    const deltas = entries.filter(({ type }) => type === 'delta');
    return deltas.map(({ data }) => (JSON.parse(data) as { text: string }).text).join('');
  }

  it('text is neither lost nor repeated when the connection is cut and restored', async () => {
    const proxy = await startTcpProxy(url);
    onTestFinished(() => proxy.close());
    const text = randomText(900);
    const written = await writeThrough(proxy.url, text, async (index) => {
      if (index % 80 !== 40) return;
      await proxy.cut();
      await sleep(20);
      await proxy.restore();
    });
    expect(written).toBe(text);
  });

  it('text is neither lost nor repeated when replies are lost and the client repeats its appends', async () => {
    const proxy = await replyLosingProxyForTest(url);
    const text = randomText(900);
    let losses = 0;
    const written = await writeThrough(proxy.url, text, async (index) => {
      if (index % 80 === 20) proxy.loseNextReply();
      if (index % 80 !== 60) return;
      losses += 1;
      await eventually(() => expect(proxy.lost).toBe(losses));
      const before = (await log.lastEntry(runId))?.seq ?? 0;
      await eventually(async () => expect((await log.lastEntry(runId))?.seq ?? 0).toBeGreaterThan(before));
    });
    expect(losses).toBeGreaterThan(1);
    expect(written).toBe(text);
  });

  it('text is neither lost nor repeated when Redis refuses writes for a while', async () => {
    const full = await startPrivateRedis();
    onTestFinished(() => full.cleanup());
    const connection = redisForTest(full.url);
    const writer = new RunLogWriter(new RunLog(connection), runId, 1);
    await writer.emit(statusEvent(runId));
    const first = floorOf(1) + 1;
    await connection.config('SET', 'maxmemory', '1');
    writer.delta('first ');
    const ended = writer.emit(completedEvent(runId));
    await expect(connection.set('any', 'thing')).rejects.toThrow('OOM');
    await connection.config('SET', 'maxmemory', '0');
    await ended;
    const entries = await new RunLog(connection).read(runId, 0, 10);
    expect(entries.map(({ seq, type }) => [seq, type])).toEqual([
      [first, 'status'],
      [first + 1, 'delta'],
      [first + 2, 'completed'],
    ]);
  });

  it('text is neither lost nor renumbered when Redis is wiped between two appends', async () => {
    const writer = new RunLogWriter(log, runId, 1);
    await writer.emit(statusEvent(runId));
    writer.delta('before ');
    await writer.emit(statusEvent(runId));
    await redis.del(redisKeys.runLog(runId));
    writer.delta('after');
    await writer.emit(completedEvent(runId));
    expect((await entriesOf()).map(({ seq, type }) => [seq, type])).toEqual([
      [floorOf(1) + 4, 'delta'],
      [floorOf(1) + 5, 'completed'],
    ]);
  });
});
