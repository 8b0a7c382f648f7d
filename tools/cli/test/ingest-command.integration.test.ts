import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { InvalidInput } from '@quire/shared/errors';
import { openWorker, type JobHandler, type JobPayload, type JobWorker } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { announcePresence } from '@quire/shared/process';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { eventually, startPrivateRedis, startTcpProxy, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommandLine } from '../src/command-line.js';
import { ingestBook } from '../src/ingest/ingest-book.js';
import { recordingTerminal } from './recording-terminal.js';

const logger = createLogger('test', 'silent');
const baseUrl = 'https://book.example/docs';
const cleanUps: (() => unknown)[] = [];
let folder: string;

async function writeBook(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

async function connect(url: string): Promise<Redis> {
  const redis = connectRedis(url, 'worker', logger);
  cleanUps.push(() => redis.disconnect());
  await awaitRedis(redis, 5000);
  return redis;
}

/** A worker on the real queue whose index is a list. */
async function startWorker(redisUrl: string, handle: JobHandler<'ingest'>): Promise<JobWorker> {
  const connection = await connect(redisUrl);
  const worker = openWorker('ingest', handle, { connection, concurrency: 2, logger, graceMs: 100 });
  worker.start();
  cleanUps.push(announcePresence(connection, 'retrieval-worker'), () => worker.close());
  return worker;
}

const runIngest = (redisUrl: string, signal = new AbortController().signal) => {
  const terminal = recordingTerminal();
  const args = ['ingest', folder, '--base-url', baseUrl];
  const exitCode = runCommandLine(args, { env: { REDIS_URL: redisUrl }, cwd: folder, terminal, signal });
  return { exitCode, terminal };
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-book-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  await rm(folder, { recursive: true });
});

describe('quire ingest', () => {
  test('sends every page to the workers, without byte order mark, and reports', async () => {
    await writeBook({ 'intro.md': '\uFEFF# Intro', 'ros2/qos.md': '# QoS' });
    const pages: JobPayload<'ingest'>[] = [];
    const redisUrl = await testRedisUrl();
    await startWorker(redisUrl, (page) => {
      pages.push(page);
      return Promise.resolve({ path: page.path, chunks: 3 });
    });
    const { exitCode, terminal } = runIngest(redisUrl);
    expect(await exitCode).toBe(0);
    expect(pages).toEqual([
      { path: 'intro.md', base_url: baseUrl, markdown: '# Intro' },
      { path: 'ros2/qos.md', base_url: baseUrl, markdown: '# QoS' },
    ]);
    expect(terminal.output).toMatch(/2 pages ingested, 6 chunks, \d+\.\d s\n$/);
  });

  test('does every page again in the next run', async () => {
    await writeBook({ 'intro.md': '# Intro' });
    let count = 0;
    const redisUrl = await testRedisUrl();
    await startWorker(redisUrl, ({ path }) => Promise.resolve({ path, chunks: ++count }));
    expect([await runIngest(redisUrl).exitCode, await runIngest(redisUrl).exitCode]).toEqual([0, 0]);
    expect(count).toBe(2);
  });

  test('lists failed pages with the reason, goes on with the rest and ends with 1', async () => {
    await writeBook({ 'bad.md': '', 'binary.md': new Uint8Array([0xc3, 0x28]), 'good.md': '# Good' });
    const redisUrl = await testRedisUrl();
    await startWorker(redisUrl, ({ path }) =>
      path === 'bad.md'
        ? Promise.reject(new InvalidInput('INVALID_REQUEST', 'The front matter is wrong'))
        : Promise.resolve({ path, chunks: 1 }),
    );
    const { exitCode, terminal } = runIngest(redisUrl);
    expect(await exitCode).toBe(1);
    expect(terminal.output).toContain('1 page ingested, 1 chunk,');
    expect(terminal.output).toContain('2 pages failed:');
    expect(terminal.output).toContain('  bad.md: The front matter is wrong\n');
    expect(terminal.output).toContain('  binary.md: The file is not valid UTF-8\n');
  });

  test('says so when no worker runs, and gives up in the end', async () => {
    await writeBook({ 'intro.md': '# Intro' });
    const terminal = recordingTerminal();
    const redis = await connect(await testRedisUrl());
    const patience = { checkEveryMs: 50, tellAfterMs: 200, giveUpAfterMs: 800 };
    const { signal } = new AbortController();
    const ingestion = ingestBook({ folder, baseUrl }, { redis, terminal, signal, patience });
    await expect(ingestion).rejects.toThrow(/The pages stay in the queue/);
    expect(terminal.output.match(/No retrieval worker is running/g)).toHaveLength(1);
  });

  test('stops waiting when interrupted, and says that the queue goes on', async () => {
    await writeBook({ 'intro.md': '# Intro' });
    const interrupt = new AbortController();
    const { exitCode, terminal } = runIngest(await testRedisUrl(), interrupt.signal);
    await eventually(() => expect(terminal.output).toContain('Ingesting 1 pages'));
    interrupt.abort();
    await exitCode;
    expect(terminal.output).toContain('Pages that are already in the queue go on without this command.');
  });

  test('can be interrupted while Redis is away', async () => {
    await writeBook({ 'intro.md': '# Intro' });
    const proxy = await startTcpProxy(await testRedisUrl());
    cleanUps.push(() => proxy.close());
    const interrupt = new AbortController();
    const { exitCode, terminal } = runIngest(proxy.url, interrupt.signal);
    await eventually(() => expect(terminal.output).toContain('Ingesting 1 pages'));
    await proxy.cut();
    await eventually(() => expect(terminal.output).toContain('Redis is away; waiting for it.'));
    interrupt.abort();
    await exitCode;
    expect(terminal.output).toContain('Stopped waiting.');
  });

  test('survives a Redis that is away for a while', async () => {
    await writeBook({ 'a.md': '# A', 'b.md': '# B' });
    const redisUrl = await testRedisUrl();
    const proxy = await startTcpProxy(redisUrl);
    cleanUps.push(() => proxy.close());
    const { exitCode, terminal } = runIngest(proxy.url);
    await eventually(() => expect(terminal.output).toContain('Ingesting 2 pages'));
    await proxy.cut();
    await eventually(() => expect(terminal.output).toContain('Redis is away'));
    await startWorker(redisUrl, ({ path }) => Promise.resolve({ path, chunks: 1 }));
    await proxy.restore();
    expect(await exitCode).toBe(0);
    expect(terminal.output).toContain('Redis is back.');
    expect(terminal.output).toContain('2 pages ingested');
  });

  test('adds pages again that a restarted Redis has lost', async () => {
    await writeBook({ 'a.md': '# A' });
    const store = await startPrivateRedis();
    cleanUps.push(() => store.cleanup());
    const redis = await connect(store.url);
    const { exitCode, terminal } = runIngest(store.url);
    await eventually(async () => expect(await redis.dbsize()).toBeGreaterThan(0));
    await redis.flushall();
    await startWorker(store.url, ({ path }) => Promise.resolve({ path, chunks: 1 }));
    expect(await exitCode).toBe(0);
    expect(terminal.output).toContain('1 page ingested');
  });
});
