import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../bin/quire.js', import.meta.url));
let folder: string;

function quire(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  return { child, output: () => output, exit: once(child, 'close').then(([code]) => code as number | null) };
}

const ingest = (env: Record<string, string>) =>
  quire(['ingest', '.', '--base-url', 'https://book.example'], env);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-book-'));
  await writeFile(join(folder, 'intro.md'), '# Intro');
});
afterAll(() => rm(folder, { recursive: true }));

describe('the quire program', () => {
  test('ends with 130 on Ctrl-C and says that the queue goes on', async () => {
    const { child, output, exit } = ingest({ REDIS_URL: await testRedisUrl() });
    await eventually(() => expect(output()).toContain('Ingesting 1 pages'), { timeoutMs: 10_000 });
    child.kill('SIGINT');
    expect(await exit).toBe(130);
    expect(output()).toContain('go on without this command');
  });

  test('ends on SIGTERM even while Redis is away', async () => {
    const proxy = await startTcpProxy(await testRedisUrl());
    const { child, output, exit } = ingest({ REDIS_URL: proxy.url });
    await eventually(() => expect(output()).toContain('Ingesting 1 pages'), { timeoutMs: 10_000 });
    await proxy.cut();
    await eventually(() => expect(output()).toContain('Redis is away'));
    child.kill('SIGTERM');
    expect(await exit).toBe(143);
    await proxy.close();
  });

  test('tells an ordinary failure in a sentence, without a stack trace', async () => {
    const { output, exit } = ingest({ QUIRE_DATA_DIR: folder });
    expect(await exit).toBe(1);
    expect(output()).toContain('npm start');
    expect(output()).not.toContain('    at ');
  });
});
