import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, startPrivateRedis, startTcpProxy, testRedisUrl, type TcpProxy } from '@quire/testkit';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { collect, CountingLog, gatewayForTest, nextEntry } from '../../test/followers.js';
import { redisForTest } from '../../test/open-for-test.js';
import { completedEvent, deltaEvent, statusEvent } from '../../test/run-events.js';
import { awaitRedis } from '../redis/index.js';
import { followRun } from './follow-run.js';
import { RunLog } from './run-log.js';
import type { RunLogEntry } from './run-log-entry.js';
import { RunLogHub } from './run-log-hub.js';

let url: string;
let writerLog: RunLog;
let runId: string;

beforeEach(async () => {
  url = await testRedisUrl();
  writerLog = new RunLog(redisForTest(url));
  runId = randomUUID();
});

async function proxyForTest(): Promise<TcpProxy> {
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  return proxy;
}

const sequences = (entries: readonly RunLogEntry[]) => entries.map(({ seq }) => seq);
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe('cut subscriber', () => {
  it('followers lose nothing when the connection of the subscriber is cut at any event', async () => {
    const proxy = await proxyForTest();
    const { follow } = await gatewayForTest(url, proxy.url);
    const runs = Array.from({ length: 20 }, () => randomUUID());
    const following = Promise.all(runs.map((id) => collect(follow(id))));
    for (let n = 0; n < 90; n += 1) {
      await Promise.all(runs.map((id) => writerLog.append(id, 1, [deltaEvent(id, `${n}`)], n)));
      if (n % 30 === 10) await proxy.cut();
      if (n % 30 === 20) await proxy.restore();
      await sleep(3);
    }
    await Promise.all(runs.map((id) => writerLog.append(id, 1, [completedEvent(id)], 90)));
    for (const entries of await following) expect(sequences(entries)).toEqual(range(1, 91));
  });

  it('a follower gets an event that was published before its subscription was renewed', async () => {
    const proxy = await proxyForTest();
    const { follow, subscriber } = await gatewayForTest(url, proxy.url);
    const following = follow(runId);
    await writerLog.append(runId, 0, [statusEvent(runId)]);
    expect((await nextEntry(following))?.seq).toBe(1);
    const rest = collect(following);
    await proxy.cut();
    const renewed = new Promise<void>((resolve) => {
      subscriber.once('ready', () => {
        proxy.pause();
        resolve();
      });
    });
    await proxy.restore();
    await renewed;
    await sleep(100);
    await writerLog.append(runId, 1, [completedEvent(runId)]);
    await proxy.restore();
    expect((await rest).map(({ type }) => type)).toEqual(['completed']);
  });

  it('a hub with a connection that was ready before it also renews its subscriptions', async () => {
    const proxy = await proxyForTest();
    const { log, subscriber } = await gatewayForTest(url, proxy.url);
    const options = { after: 0, signal: new AbortController().signal, idleRereadMs: 2 ** 30 };
    const following = followRun(log, new RunLogHub(subscriber), runId, options);
    await writerLog.append(runId, 0, [statusEvent(runId)]);
    expect((await nextEntry(following))?.seq).toBe(1);
    const rest = collect(following);
    await proxy.cut();
    await writerLog.append(runId, 1, [completedEvent(runId)]);
    await proxy.restore();
    expect((await rest).map(({ type }) => type)).toEqual(['completed']);
  });
});

describe('lost messages', () => {
  it('an event published before the subscription is confirmed is read from the log', async () => {
    const proxy = await proxyForTest();
    const { follow } = await gatewayForTest(url, proxy.url);
    proxy.pause();
    const following = collect(follow(runId));
    await sleep(100);
    await writerLog.append(runId, 0, [completedEvent(runId)]);
    await proxy.restore();
    expect(sequences(await following)).toEqual([1]);
  });

  it('an idle follower reads unpublished events from the log, and drops them when they are published late', async () => {
    const proxy = await proxyForTest();
    const { follow } = await gatewayForTest(url, proxy.url);
    const following = follow(runId, { idleRereadMs: 50 });
    await writerLog.append(runId, 0, [statusEvent(runId)]);
    expect((await nextEntry(following))?.seq).toBe(1);
    proxy.pause();
    await writerLog.append(runId, 1, [deltaEvent(runId, 'a'), deltaEvent(runId, 'b')]);
    expect([await nextEntry(following), await nextEntry(following)]).toMatchObject([{ seq: 2 }, { seq: 3 }]);
    await proxy.restore();
    await writerLog.append(runId, 1, [completedEvent(runId)]);
    expect(sequences(await collect(following))).toEqual([4]);
  });

  it('a follower that misses a message reads the log at the next one', async () => {
    const proxy = await proxyForTest();
    const { follow, hub, subscriber } = await gatewayForTest(url, proxy.url);
    const following = follow(runId);
    await writerLog.append(runId, 0, [statusEvent(runId)]);
    expect((await nextEntry(following))?.seq).toBe(1);
    const rest = collect(following);
    await eventually(() => expect(hub.channelCount).toBe(1));
    await subscriber.unsubscribe(`quire:run:{${runId}}:events`);
    await writerLog.append(runId, 1, [deltaEvent(runId, 'unheard')]);
    await subscriber.subscribe(`quire:run:{${runId}}:events`);
    await writerLog.append(runId, 1, [completedEvent(runId)]);
    expect(sequences(await rest)).toEqual([2, 3]);
  });
});

describe('Redis is down', () => {
  it('a new follower yields idle while Redis is down, and ends when it is aborted', async () => {
    const proxy = await proxyForTest();
    const { follow } = await gatewayForTest(proxy.url);
    await proxy.cut();
    const aborting = new AbortController();
    const following = follow(runId, { signal: aborting.signal });
    expect(await following.next()).toEqual({ done: false, value: 'idle' });
    const ended = following.next();
    aborting.abort();
    expect(await ended).toEqual({ done: true, value: undefined });
  });

  it('a new follower gets every event once Redis is back', async () => {
    const proxy = await proxyForTest();
    const { follow, hub } = await gatewayForTest(proxy.url);
    await proxy.cut();
    const following = collect(follow(runId));
    await eventually(() => expect(hub.channelCount).toBe(1));
    await writerLog.append(runId, 0, [statusEvent(runId), completedEvent(runId)]);
    await proxy.restore();
    expect(sequences(await following)).toEqual([1, 2]);
  });

  it('a follower that got some events waits for the others before it yields idle', async () => {
    const proxy = await proxyForTest();
    const { follow } = await gatewayForTest(proxy.url);
    await writerLog.append(runId, 0, [statusEvent(runId)]);
    const idleRereadMs = 1000;
    const following = follow(runId, { idleRereadMs });
    expect((await nextEntry(following))?.seq).toBe(1);
    const told = following.next();
    await proxy.cut();
    const cutAt = Date.now();
    expect(await told).toEqual({ done: false, value: 'idle' });
    // The time until the next read of the log, and the same again because it fails.
    expect(Date.now() - cutAt).toBeGreaterThan(1.5 * idleRereadMs);
    await following.return();
  });

  it('a follower retries its read while Redis is down, but yields idle once', async () => {
    const proxy = await proxyForTest();
    const { hub } = await gatewayForTest(proxy.url);
    const log = new CountingLog(redisForTest(proxy.url, 'request'));
    await proxy.cut();
    const aborting = new AbortController();
    const options = { after: 0, signal: aborting.signal, idleRereadMs: 2 ** 30 };
    let idle = 0;
    const ended = (async () => {
      for await (const _ of followRun(log, hub, runId, options)) idle += 1;
    })();
    await eventually(() => expect(log.reads).toBeGreaterThan(2));
    aborting.abort();
    await ended;
    expect(idle).toBe(1);
  });
});

it('writer and follower lose nothing when Redis is killed and restarted', async () => {
  const store = await startPrivateRedis();
  onTestFinished(() => store.cleanup());
  const writerRedis = redisForTest(store.url);
  await awaitRedis(writerRedis, 20_000);
  await writerRedis.config('SET', 'appendfsync', 'always');
  const log = new RunLog(writerRedis);
  const { follow } = await gatewayForTest(store.url);
  const following = collect(follow(runId));
  const writing = (async () => {
    for (let n = 0; n < 100; n += 1) await log.append(runId, 1, [deltaEvent(runId, `${n}`)], n);
    await log.append(runId, 1, [completedEvent(runId)], 100);
  })();
  await eventually(async () =>
    expect((await new RunLog(writerRedis).lastEntry(runId))?.seq ?? 0).toBeGreaterThan(10),
  );
  await store.kill();
  await store.restart();
  await writing;
  expect(sequences(await following)).toEqual(range(1, 101));
});
