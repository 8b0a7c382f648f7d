import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testRedisUrl } from '@quire/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommandLine } from '../src/command-line.js';
import { recordingTerminal } from './recording-terminal.js';

const baseUrl = 'https://book.example/docs';
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-book-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a call that makes no sense', () => {
  const run = async (...args: string[]) => {
    const terminal = recordingTerminal();
    const { signal } = new AbortController();
    const exitCode = await runCommandLine(args, {
      env: { REDIS_URL: await testRedisUrl() },
      cwd: folder,
      terminal,
      signal,
    });
    return { exitCode, output: terminal.output };
  };

  test.each([
    ['no command', [], /Usage: quire/],
    ['an unknown command', ['ingset'], /unknown command 'ingset'/],
    ['no folder', ['ingest', '--base-url', baseUrl], /missing required argument 'folder'/],
    ['no base URL', ['ingest', '.'], /required option '--base-url <url>'/],
    [
      'a base URL that is none',
      ['ingest', '.', '--base-url', 'docs'],
      /must be an http:\/\/ or https:\/\/ URL/,
    ],
    ['a folder that does not exist', ['ingest', '/no/such/folder', '--base-url', baseUrl], /does not exist/],
  ])('%s ends with 2', async (_, args, words) => {
    const { exitCode, output } = await run(...args);
    expect(exitCode).toBe(2);
    expect(output).toMatch(words);
  });

  test('help ends with 0', async () => {
    expect(await run('ingest', '--help')).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('--base-url') as string,
    });
  });

  test('a folder without pages ends with 1', async () => {
    expect(await run('ingest', folder, '--base-url', baseUrl)).toMatchObject({ exitCode: 1 });
  });

  test('a Redis that does not answer ends with 1, and its password is not shown', async () => {
    const terminal = recordingTerminal();
    const { signal } = new AbortController();
    const env = { REDIS_URL: 'redis://:hush@127.0.0.1:9' };
    const exitCode = await runCommandLine(['ingest', folder, '--base-url', baseUrl], {
      env,
      cwd: folder,
      terminal,
      signal,
    });
    expect(exitCode).toBe(1);
    expect(terminal.output).toContain('Redis does not answer');
    expect(terminal.output).not.toContain('hush');
  });
});
