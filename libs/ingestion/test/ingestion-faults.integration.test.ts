import { InvalidInput } from '@quire/shared/errors';
import { eventually, startPrivateRedis, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished, vi } from 'vitest';
import { manyPages, memorySource } from './memory-source.js';
import { redisFor, startScriptedWorker } from './scripted-worker.js';
import { startIngestion } from './start-ingestion.js';

const source = memorySource({ 'a.md': '# A' });

it('an ingestion reports once that no worker runs, and fails when none starts', async () => {
  const patience = { checkEveryMs: 50, reportAfterMs: 200, giveUpAfterMs: 3000 };
  const { report, notices } = await startIngestion(await testRedisUrl(), source, { patience });
  await expect(report).rejects.toThrow('No retrieval worker has started');
  expect(notices).toEqual(['no_worker']);
});

it('an ingestion fails with the reason of the step that failed', async () => {
  const redisUrl = await testRedisUrl();
  await startScriptedWorker(redisUrl, {
    open() {
      throw new InvalidInput('INVALID_REQUEST', 'The collection is not ours');
    },
  });
  const { report } = await startIngestion(redisUrl, source);
  await expect(report).rejects.toThrow(/^The collection is not ours$/);
});

it('an aborted ingestion has no close, and the next one finishes the book', async () => {
  const redisUrl = await testRedisUrl();
  const book = memorySource(manyPages(100));
  const worker = await startScriptedWorker(redisUrl);
  const { report, abort } = await startIngestion(redisUrl, book);
  await eventually(() => expect(worker.named('page').length).toBeGreaterThan(5));
  abort();
  await expect(report).rejects.toThrow('aborted');
  expect(worker.named('close')).toEqual([]);
  const next = await startIngestion(redisUrl, book);
  await next.report;
  expect(worker.named('close')).toHaveLength(1);
  expect(worker.named('close')[0]?.kept_paths).toHaveLength(100);
});

it('an ingestion can be aborted while Redis is away', async () => {
  const proxy = await startTcpProxy(await testRedisUrl());
  onTestFinished(() => proxy.close());
  const redis = await redisFor(proxy.url);
  const { calls, settledResults } = vi.spyOn(redis, 'sendCommand').mock;
  const { report, notices, abort } = await startIngestion(proxy.url, source, { redis });
  await proxy.cut();
  await eventually(() => expect(notices).toContain('redis_lost'));
  const waits = (i: number) => settledResults[i]?.type === 'incomplete';
  await eventually(() => expect(calls.some(([{ name }], i) => name !== 'ping' && waits(i))).toBe(true));
  abort();
  await expect(report).rejects.toThrow('aborted');
});

it('an ingestion goes on after an outage of Redis, and reports its start and its end', async () => {
  const redisUrl = await testRedisUrl();
  const proxy = await startTcpProxy(redisUrl);
  onTestFinished(() => proxy.close());
  const { report, notices } = await startIngestion(proxy.url, source);
  await proxy.cut();
  await eventually(() => expect(notices).toContain('redis_lost'));
  await startScriptedWorker(redisUrl);
  await proxy.restore();
  expect((await report).tally.ingested).toEqual(['a.md']);
  expect(notices.filter((type) => type.startsWith('redis'))).toEqual(['redis_lost', 'redis_restored']);
});

it('tasks that a restarted Redis has lost are queued again', async () => {
  const store = await startPrivateRedis();
  onTestFinished(() => store.cleanup());
  const redis = await redisFor(store.url);
  const { report } = await startIngestion(store.url, source);
  await eventually(async () => expect(await redis.keys('*:wait')).toHaveLength(1));
  await redis.flushall();
  const worker = await startScriptedWorker(store.url);
  expect((await report).tally.ingested).toEqual(['a.md']);
  expect(worker.named('open')).toHaveLength(1);
});
