import { InvalidInput } from '@quire/shared/errors';
import { testRedisUrl } from '@quire/testkit';
import { beforeEach, expect, it } from 'vitest';
import { baseUrl, bookFolder } from './book-folder.js';
import { recordingTerminal } from './recording-terminal.js';
import { startQuire } from './start-quire.js';
import { ingested, startScriptedWorker } from '../../../libs/ingestion/test/scripted-worker.js';

let redisUrl: string;
const ingest = (folder: string, ...options: string[]) =>
  startQuire({
    args: ['ingest', folder, '--base-url', baseUrl, ...options],
    env: { REDIS_URL: redisUrl },
    // Draws progress unless JSON is wanted.
    terminal: recordingTerminal(options.includes('--json')),
  });

beforeEach(async () => {
  redisUrl = await testRedisUrl();
});

it('quire ingest sends every page of a folder to the workers, without byte order mark, and reports', async () => {
  const folder = await bookFolder({ 'intro.md': '\uFEFF# Intro', 'ros2/qos.md': '# Quality of service' });
  const worker = await startScriptedWorker(redisUrl, {
    close: () => ({ task: 'close', removed_pages: 2, removed_chunks: 9 }),
  });
  const { exitCode, terminal } = ingest(folder);
  expect(await exitCode).toBe(0);
  const pages = worker.named('page').map(({ page }) => page);
  expect(pages).toMatchObject([
    { path: 'intro.md', base_url: baseUrl, text: '# Intro', format: 'markdown' },
    { path: 'ros2/qos.md', base_url: baseUrl, text: '# Quality of service' },
  ]);
  expect(terminal.output).toMatch(
    /\n2 pages ingested in \d+\.\d s\n6 chunks: 2 embedded, 4 reused\n2 pages removed \(9 chunks\)\n$/,
  );
});

it('quire ingest sends every page again in the next run, under a new ingestion id', async () => {
  const folder = await bookFolder({ 'intro.md': '# Intro' });
  const worker = await startScriptedWorker(redisUrl);
  expect([await ingest(folder).exitCode, await ingest(folder).exitCode]).toEqual([0, 0]);
  const [first, second] = worker.named('page').map(({ ingestion_id: id }) => id);
  expect(first).not.toBe(second);
  expect(worker.named('close')).toHaveLength(2);
});

it('quire ingest lists failed pages with the reason, goes on with the rest and ends with 1', async () => {
  const folder = await bookFolder({
    'bad.md': '# Bad',
    'binary.md': new Uint8Array([0xc3, 0x28]),
    'good.md': '# Good',
  });
  await startScriptedWorker(redisUrl, {
    page({ page }) {
      if (page.path === 'bad.md') throw new InvalidInput('INVALID_REQUEST', 'The front matter is wrong');
      return ingested(page.path, 1, 1);
    },
  });
  const { exitCode, terminal } = ingest(folder);
  expect(await exitCode).toBe(1);
  expect(terminal.output).toContain('1 page ingested in ');
  expect(terminal.output).toContain('2 pages failed:\n');
  expect(terminal.output).toContain('  bad.md: The front matter is wrong\n');
  expect(terminal.output).toMatch(/ {2}binary\.md: .*UTF-8/);
});

it('quire ingest names drafts, stubs and duplicates that were left out', async () => {
  const text =
    'A page of some length that says the same as another page, word for word, to its very end. '.repeat(9);
  const folder = await bookFolder({
    'a.md': `# A\n\n${text}`,
    'b.md': `# A\n\n${text}`,
    'draft.md': '# Later',
  });
  await startScriptedWorker(redisUrl, {
    page: ({ page: { path } }) =>
      path === 'draft.md' ? { ...ingested(path, 0, 0), skipped: 'draft' } : ingested(path),
  });
  const { exitCode, terminal } = ingest(folder);
  expect(await exitCode).toBe(0);
  expect(terminal.output).toContain('2 left out: 1 duplicate, 1 draft\n');
  expect(terminal.output).toContain('  b.md: duplicate of a.md\n');
  expect(terminal.output).toContain('  draft.md: draft\n');
});

it('quire ingest prints the reason of a step that failed', async () => {
  const folder = await bookFolder({ 'a.md': '# A' });
  await startScriptedWorker(redisUrl, {
    open() {
      throw new InvalidInput('INVALID_REQUEST', 'The collection is not ours');
    },
  });
  const { exitCode, terminal } = ingest(folder);
  expect(await exitCode).toBe(1);
  expect(terminal.output).toMatch(/\nThe collection is not ours\n$/);
});

it('quire ingest --json prints one object and nothing else, also when a page fails', async () => {
  const folder = await bookFolder({ 'bad.md': new Uint8Array([0xc3, 0x28]), 'good.md': '# Good' });
  await startScriptedWorker(redisUrl);
  const { exitCode, terminal } = ingest(folder, '--json');
  expect(await exitCode).toBe(1);
  expect(terminal.stdout.trimEnd()).not.toContain('\n');
  expect(JSON.parse(terminal.stdout)).toMatchObject({
    ok: false,
    base_url: baseUrl,
    index: 'quire',
    collection: 'quire--test',
    embedder: 'test',
    replaced_collection: null,
    pages: { found: 2, ingested: 1, failed: 1, left_out: 0, removed: 0 },
    chunks: { total: 3, embedded: 1, reused: 2, carried: 0, removed: 0 },
    failures: [{ path: 'bad.md' }],
  });
});

it('quire ingest --json prints the reason to stderr and nothing to stdout when it fails', async () => {
  const { exitCode, terminal } = ingest('/no/such/folder', '--json');
  expect(await exitCode).toBe(2);
  expect(terminal.stdout).toBe('');
  expect(terminal.output).toContain('does not exist');
});
