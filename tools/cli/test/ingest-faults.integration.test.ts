import { setTimeout as sleep } from 'node:timers/promises';
import { queueKey } from '@quire/shared/jobs';
import { eventually, startPrivateRedis, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ingestBook } from '../src/ingest/ingest-book.js';
import { Progress } from '../src/ingest/progress.js';
import { baseUrl, bookFolder, manyPages } from './book-folder.js';
import { memorySource } from './memory-source.js';
import { recordingTerminal } from './recording-terminal.js';
import { startQuire } from './start-quire.js';
import { redisFor, startScriptedWorker } from './scripted-worker.js';

const STARTED = `→ ${baseUrl}`;

const ingest = async (redisUrl: string, pages: Record<string, string> = { 'a.md': '# A' }) =>
  startQuire({
    args: ['ingest', await bookFolder(pages), '--base-url', baseUrl],
    env: { REDIS_URL: redisUrl },
  });

async function proxyTo(redisUrl: string) {
  const proxy = await startTcpProxy(redisUrl);
  onTestFinished(() => proxy.close());
  return proxy;
}

describe('quire ingest', () => {
  test('says so when no worker runs, and gives up in the end', async () => {
    const terminal = recordingTerminal();
    const ingestion = ingestBook(memorySource({ 'a.md': '# A' }), {
      redis: await redisFor(await testRedisUrl()),
      index: 'quire',
      progress: new Progress(terminal),
      signal: new AbortController().signal,
      patience: { checkEveryMs: 50, tellAfterMs: 200, giveUpAfterMs: 3000 },
    });
    await expect(ingestion).rejects.toThrow(/No retrieval worker has come up/);
    expect(terminal.output.match(/No retrieval worker is running/g)).toHaveLength(1);
  });

  test('stops when interrupted, and says that the queue goes on and how to finish', async () => {
    const { exitCode, terminal, interrupt } = await ingest(await testRedisUrl());
    await eventually(() => expect(terminal.output).toContain(STARTED));
    interrupt();
    await exitCode;
    expect(terminal.output).toContain('Pages that are already in the queue go on without this command.');
    expect(terminal.output).toContain('Run the same command again to finish');
  });

  test('interrupted half-way, it does not close: the next run finishes', async () => {
    const redisUrl = await testRedisUrl();
    const pages = manyPages(100);
    const worker = await startScriptedWorker(redisUrl);
    const first = await ingest(redisUrl, pages);
    await eventually(() => expect(worker.named('page').length).toBeGreaterThan(5));
    first.interrupt();
    await first.exitCode;
    expect(worker.named('close')).toEqual([]);
    const second = await ingest(redisUrl, pages);
    expect(await second.exitCode).toBe(0);
    expect(worker.named('close')).toHaveLength(1);
    expect(worker.named('close')[0]?.kept_paths).toHaveLength(100);
  });

  test('can be interrupted while Redis is away', async () => {
    const proxy = await proxyTo(await testRedisUrl());
    const { exitCode, terminal, interrupt } = await ingest(proxy.url);
    await eventually(() => expect(terminal.output).toContain(STARTED));
    await proxy.cut();
    await eventually(() => expect(terminal.output).toContain('Redis is away; waiting for it.'));
    // Until it is in the middle of a command that Redis does not answer.
    await sleep(500);
    interrupt();
    await exitCode;
    expect(terminal.output).toContain('Stopped.');
  });

  test('survives a Redis that is away for a while', async () => {
    const redisUrl = await testRedisUrl();
    const proxy = await proxyTo(redisUrl);
    const { exitCode, terminal } = await ingest(proxy.url, manyPages(2));
    await eventually(() => expect(terminal.output).toContain(STARTED));
    await proxy.cut();
    await eventually(() => expect(terminal.output).toContain('Redis is away'));
    await startScriptedWorker(redisUrl);
    await proxy.restore();
    expect(await exitCode).toBe(0);
    expect(terminal.output).toContain('Redis is back.');
    expect(terminal.output).toContain('2 pages ingested');
  });

  test('adds tasks again that a restarted Redis has lost', async () => {
    const store = await startPrivateRedis();
    onTestFinished(() => store.cleanup());
    const redis = await redisFor(store.url);
    const { exitCode, terminal } = await ingest(store.url);
    await eventually(async () => expect(await redis.exists(queueKey('ingest', 'wait'))).toBe(1));
    await redis.flushall();
    const worker = await startScriptedWorker(store.url);
    expect(await exitCode).toBe(0);
    expect(worker.named('open')).toHaveLength(1);
    expect(terminal.output).toContain('1 page ingested');
  });
});
