import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { redisKeys } from '@quire/shared/redis';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { baseUrl, bookFolder, manyPages } from './book-folder.js';
import { redisFor, startScriptedWorker } from '../../../libs/ingestion/test/scripted-worker.js';

const program = fileURLToPath(new URL('../bin/quire.js', import.meta.url));
const STARTED = `→ ${baseUrl}`;

function quire(args: string[], cwd: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { PATH: process.env.PATH, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  return { child, output: () => output, exit: once(child, 'close').then(([code]) => code as number | null) };
}

const ingest = async (
  env: Record<string, string>,
  pages: Record<string, string> = { 'intro.md': '# Intro' },
) => quire(['ingest', '.', '--base-url', baseUrl], await bookFolder(pages), env);

it('the quire program ends with 130 on Ctrl-C and prints that queued pages are still processed', async () => {
  const { child, output, exit } = await ingest({ REDIS_URL: await testRedisUrl() });
  await eventually(() => expect(output()).toContain(STARTED));
  child.kill('SIGINT');
  expect(await exit).toBe(130);
  expect(output()).toContain('are still processed');
});

it('the quire program ends on SIGTERM even while Redis is away', async () => {
  const proxy = await startTcpProxy(await testRedisUrl());
  const { child, output, exit } = await ingest({ REDIS_URL: proxy.url });
  await eventually(() => expect(output()).toContain(STARTED));
  await proxy.cut();
  await eventually(() => expect(output()).toContain('Redis is away'));
  child.kill('SIGTERM');
  expect(await exit).toBe(143);
  await proxy.close();
});

it('quire ingest finishes a book whose ingestion was killed half-way', async () => {
  const redisUrl = await testRedisUrl();
  const worker = await startScriptedWorker(redisUrl);
  const pages = manyPages(400);
  const first = await ingest({ REDIS_URL: redisUrl }, pages);
  await eventually(() => expect(worker.named('page').length).toBeGreaterThan(5));
  first.child.kill('SIGKILL');
  await first.exit;
  expect(worker.named('close')).toEqual([]);
  // As if the lease had expired, which takes 20 s.
  const redis = await redisFor(redisUrl);
  expect(await redis.del(redisKeys.indexLease('quire'))).toBe(1);
  const second = await ingest({ REDIS_URL: redisUrl }, pages);
  expect(await second.exit).toBe(0);
  expect(worker.named('close').map(({ kept_paths: kept }) => kept?.length)).toEqual([400]);
});

it('the quire program prints a failure as a sentence, without a stack trace', async () => {
  const { output, exit } = await ingest({ QUIRE_DATA_DIR: '/nonexistent' });
  expect(await exit).toBe(1);
  expect(output()).toContain('npm start');
  expect(output()).not.toContain('    at ');
});
