import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { randomCuts, randomText } from '../../test/random-text.js';
import { completedEvent, deltaEvent, resetEvent, statusEvent } from '../../test/run-events.js';
import { redisKeys } from '../redis/index.js';
import { Fenced, RunEnded, RunLog } from './run-log.js';
import type { RunLogEntry } from './run-log-entry.js';
import { RunLogWriter, type CoalescingWindow } from './run-log-writer.js';

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

/** The window never passes: only the first delta, enough characters or an event cause an append. */
const neverByTime: CoalescingWindow = { ms: 2 ** 30, characters: 256 };

const entriesOf = () => log.read(runId, 0, 100_000);
const textOf = (entry: RunLogEntry): string => (JSON.parse(entry.data) as { text: string }).text;
const textsOf = async () => (await entriesOf()).filter(({ type }) => type === 'delta').map(textOf);
const expectTexts = (texts: string[]) => eventually(async () => expect(await textsOf()).toEqual(texts));
const expectDense = (entries: readonly RunLogEntry[]) =>
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => (entries[0]?.seq ?? 0) + index));

describe('answer text', () => {
  it('the first text is appended at once', async () => {
    new RunLogWriter(log, runId, 1, neverByTime).delta('first');
    await expectTexts(['first']);
  });

  it('the first text after an event is appended at once', async () => {
    const writer = new RunLogWriter(log, runId, 1, neverByTime);
    writer.delta('a');
    await writer.emit(resetEvent(runId));
    writer.delta('anew');
    await expectTexts(['a', 'anew']);
  });

  it('later text is appended when the window has passed', async () => {
    const writer = new RunLogWriter(log, runId, 1, { ms: 30, characters: 256 });
    writer.delta('first');
    await expectTexts(['first']);
    writer.delta('b');
    writer.delta('c');
    await expectTexts(['first', 'bc']);
  });

  it('later text is appended as soon as the window holds 256 characters', async () => {
    const writer = new RunLogWriter(log, runId, 1, neverByTime);
    writer.delta('first');
    await expectTexts(['first']);
    writer.delta('x'.repeat(255));
    await sleep(100);
    expect(await textsOf()).toEqual(['first']);
    writer.delta('y');
    await expectTexts(['first', `${'x'.repeat(255)}y`]);
  });

  it('empty text is no event', async () => {
    const writer = new RunLogWriter(log, runId, 1, neverByTime);
    writer.delta('');
    await writer.emit(statusEvent(runId));
    expect((await entriesOf()).map(({ type }) => type)).toEqual(['status']);
  });

  it('pieces of text are coalesced into few entries that add up to the same text', async () => {
    for (let round = 0; round < 10; round += 1) {
      runId = randomUUID();
      const writer = new RunLogWriter(log, runId, 1, { ms: 5, characters: 64 });
      const text = randomText(600);
      const pieces = randomCuts(text, 6);
      for (const piece of pieces) {
        writer.delta(piece);
        if (Math.random() < 0.1) await nextTurn();
      }
      await writer.emit(completedEvent(runId));
      const texts = await textsOf();
      expect(texts.join('')).toBe(text);
      expect(texts.length).toBeLessThan(pieces.length / 2);
      expectDense(await entriesOf());
    }
  });

  it('a slow Redis makes the entries longer, not more', async () => {
    const proxy = await startTcpProxy(url);
    onTestFinished(() => proxy.close());
    const writer = new RunLogWriter(new RunLog(redisForTest(proxy.url)), runId, 1);
    writer.delta('first');
    await expectTexts(['first']);
    proxy.pause();
    for (let n = 0; n < 200; n += 1) {
      writer.delta('x'.repeat(50));
      await nextTurn();
    }
    await proxy.restore();
    await writer.emit(completedEvent(runId));
    const texts = await textsOf();
    expect(texts.join('')).toBe(`first${'x'.repeat(10_000)}`);
    expect(texts.length).toBeLessThanOrEqual(3);
  });
});

describe('events', () => {
  it('an event is appended behind all text before it and in front of all text after it', async () => {
    const writer = new RunLogWriter(log, runId, 1, neverByTime);
    writer.delta('a');
    writer.delta('b');
    writer.delta('c');
    await writer.emit(statusEvent(runId), resetEvent(runId));
    writer.delta('d');
    writer.delta('e');
    await writer.emit(completedEvent(runId));
    const story = (await entriesOf()).map((entry) => (entry.type === 'delta' ? textOf(entry) : entry.type));
    expect(story.join(' ')).toMatch(/^(abc|a bc) status reset (de|d e) completed$/);
  });

  it('text and events that are written without waiting keep their order', async () => {
    const writer = new RunLogWriter(log, runId, 1, { ms: 2, characters: 16 });
    const emitted: Promise<void>[] = [];
    let told = '';
    for (let n = 0; n < 400; n += 1) {
      if (Math.random() < 0.2) {
        told += `<${n}>`;
        emitted.push(writer.emit({ type: 'reset', data: { request_id: runId, attempt: n, reason: 'test' } }));
      } else {
        told += `${n},`;
        writer.delta(`${n},`);
      }
      if (Math.random() < 0.1) await nextTurn();
    }
    await Promise.all(emitted);
    await writer.emit(completedEvent(runId));
    const entries = await entriesOf();
    const story = entries.slice(0, -1).map((entry) => {
      if (entry.type === 'delta') return textOf(entry);
      return `<${(JSON.parse(entry.data) as { attempt: number }).attempt}>`;
    });
    expect(story.join('')).toBe(told);
    expect(entries.at(-1)?.type).toBe('completed');
    expectDense(entries);
  });

  it('an event is in the log when emit() resolves', async () => {
    await new RunLogWriter(log, runId, 1).emit(statusEvent(runId));
    expect((await log.lastEntry(runId))?.type).toBe('status');
  });
});

describe('superseded writer', () => {
  it('a superseded writer is aborted while it writes text, and its next emit() throws', async () => {
    const writer = new RunLogWriter(log, runId, 1);
    await writer.emit(statusEvent(runId));
    expect(writer.supersededSignal.aborted).toBe(false);
    await new RunLogWriter(log, runId, 2).emit(resetEvent(runId));
    writer.delta('stale');
    await eventually(() => expect(writer.supersededSignal.aborted).toBe(true));
    expect(writer.supersededSignal.reason).toBeInstanceOf(Fenced);
    writer.delta('more');
    await expect(writer.emit(completedEvent(runId))).rejects.toThrow(Fenced);
    expect((await entriesOf()).map(({ type }) => type)).toEqual(['status', 'reset']);
  });

  it('a superseded writer is aborted when its emit() throws', async () => {
    await log.append(runId, 2, [statusEvent(runId)]);
    const writer = new RunLogWriter(log, runId, 1);
    await expect(writer.emit(statusEvent(runId))).rejects.toThrow(Fenced);
    expect(writer.supersededSignal.aborted).toBe(true);
  });

  it('a writer is aborted in the same way when the log has its terminal event', async () => {
    const writer = new RunLogWriter(log, runId, 1);
    await writer.emit(statusEvent(runId));
    await log.append(runId, 1, [completedEvent(runId)]);
    writer.delta('late');
    await eventually(() => expect(writer.supersededSignal.reason).toBeInstanceOf(RunEnded));
    await expect(writer.emit(completedEvent(runId))).rejects.toThrow(RunEnded);
  });
});

it('a failed append is thrown by the next emit() and does not abort the writer', async () => {
  const writer = new RunLogWriter(log, runId, 1);
  await redis.set(redisKeys.runLog(runId), 'not a stream');
  writer.delta('lost');
  await eventually(() => expect(writer.emit(statusEvent(runId))).rejects.toThrow('WRONGTYPE'));
  expect(writer.supersededSignal.aborted).toBe(false);
});

it('a second attempt continues the numbers of the first', async () => {
  const first = new RunLogWriter(log, runId, 1);
  first.delta('half an ans');
  await first.emit(statusEvent(runId));
  const second = new RunLogWriter(log, runId, 2);
  await second.emit(resetEvent(runId));
  second.delta('the answer');
  await second.emit(completedEvent(runId));
  const entries = await entriesOf();
  expectDense(entries);
  expect(entries.map(({ type }) => type)).toEqual(['delta', 'status', 'reset', 'delta', 'completed']);
  await expect(first.emit(deltaEvent(runId, 'stale'))).rejects.toThrow(Fenced);
});
