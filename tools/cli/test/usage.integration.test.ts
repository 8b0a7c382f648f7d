import { testRedisUrl } from '@quire/testkit';
import { expect, it } from 'vitest';
import { baseUrl, bookFolder } from './book-folder.js';
import { startQuire } from './start-quire.js';

const run = async (...args: string[]) => {
  const { exitCode, terminal } = startQuire({ args, env: { REDIS_URL: await testRedisUrl() } });
  return { exitCode: await exitCode, output: terminal.output, stdout: terminal.stdout };
};

it.each([
  ['no command', [], /Usage: quire/],
  ['an unknown command', ['ingset'], /unknown command 'ingset'\n\(Did you mean ingest\?\)/],
  ['an unknown index command', ['index', 'stauts'], /Did you mean status\?/],
  ['an unknown option', ['ingest', '.', '--dryrun'], /Did you mean --dry-run\?/],
  ['no source', ['ingest', '--base-url', baseUrl], /missing required argument 'source'/],
  ['a folder without base URL', ['ingest', '.'], /add --base-url/],
  [
    'a base URL that is none',
    ['ingest', '.', '--base-url', 'docs'],
    /must be an http:\/\/ or https:\/\/ URL/,
  ],
  [
    'an unknown layout',
    ['ingest', '.', '--layout', 'gitbook'],
    /Allowed choices are docusaurus, mdbook, plain/,
  ],
  ['no pages at most', ['ingest', baseUrl, '--max-pages', '0'], /whole number from 1/],
  ['too many requests at once', ['ingest', baseUrl, '--concurrency', '99'], /whole number from 1 to 8/],
  ['a folder that does not exist', ['ingest', '/no/such/folder', '--base-url', baseUrl], /does not exist/],
  ['nothing to delete', ['index', 'delete'], /Say what to delete/],
])('quire with %s ends with 2', async (_, args, words) => {
  const { exitCode, output, stdout } = await run(...args);
  expect(exitCode).toBe(2);
  expect(output).toMatch(words);
  expect(stdout).toBe('');
});

it('quire ingest of a folder without pages ends with 2', async () => {
  const folder = await bookFolder({ 'notes.txt': 'no page' });
  expect(await run('ingest', folder, '--base-url', baseUrl)).toMatchObject({ exitCode: 2 });
});

it('quire ingest ends with 1 when Redis is away, and does not print its password', async () => {
  const folder = await bookFolder({ 'a.md': '# A' });
  const { exitCode, terminal } = startQuire({
    args: ['ingest', folder, '--base-url', baseUrl],
    env: { REDIS_URL: 'redis://:hush@127.0.0.1:9' },
  });
  expect(await exitCode).toBe(1);
  expect(terminal.output).toContain('Redis does not answer');
  expect(terminal.output).not.toContain('hush');
});

it('the help lists every command, examples and exit codes', async () => {
  const { exitCode, stdout } = await run('--help');
  expect(exitCode).toBe(0);
  for (const command of ['ask', 'chat', 'ingest', 'index', 'eval', 'calibrate', 'feedback', 'keys']) {
    expect(stdout).toMatch(new RegExp(`^  ${command} .* {2}\\w`, 'm'));
  }
  expect(stdout).toMatch(
    /Commands:\n {2}ask .*\n {2}chat [\s\S]*Examples:\n {2}quire ask .*\n {2}quire chat /,
  );
  expect(stdout).toContain('Examples:');
  expect(stdout).toContain('Exit codes: 0 done, 1 failed, 2 wrongly called');
});

it.each([
  [['ask', '--help'], /--session <id>[\s\S]*--url <url>[\s\S]*Examples:\n {2}quire ask/],
  [['chat', '--help'], /--json[\s\S]*Examples:\n {2}quire chat/],
  [['ingest', '--help'], /--base-url <url>[\s\S]*--dry-run[\s\S]*Examples:\n {2}quire ingest/],
  [['help', 'ingest'], /Usage: quire ingest/],
  [['index', '--help'], /status[\s\S]*list[\s\S]*delete[\s\S]*rebuild[\s\S]*Examples:/],
  [['index', 'delete', '--help'], /--book <base-url>/],
  [['feedback', '--help'], /--days <number>[\s\S]*--json[\s\S]*Examples:\n {2}quire feedback/],
])('%j prints the options of the command', async (args, words) => {
  const { exitCode, stdout } = await run(...args);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(words);
});

it('the help fits into the width of a terminal', async () => {
  for (const args of [
    ['--help'],
    ['ask', '--help'],
    ['chat', '--help'],
    ['ingest', '--help'],
    ['index', '--help'],
    ['feedback', '--help'],
  ]) {
    const { stdout } = await run(...args);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  }
});

it('quire --version prints the version alone', async () => {
  expect(await run('--version')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
  });
});
