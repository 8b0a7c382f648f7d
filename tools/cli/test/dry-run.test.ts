import { expect, it } from 'vitest';
import { baseUrl, bookFolder } from './book-folder.js';
import { startQuire } from './start-quire.js';

/** No variable and no stack file names a Redis. */
const dryRun = (folder: string, ...options: string[]) =>
  startQuire({
    args: ['ingest', folder, '--base-url', baseUrl, '--dry-run', ...options],
    env: { QUIRE_DATA_DIR: folder },
  });

const page = (title: string, text: string) => `# ${title}\n\n${text.repeat(12)}\n`;
const book = {
  'intro.md': page('Intro', 'What this book is about, said in a sentence that is long enough. '),
  'ros2/qos.md': page(
    'Quality of service',
    'Publishers and subscribers agree on a profile before they talk. ',
  ),
  'ros2/_partial.md': page('Partial', 'Included by other pages, and no page of its own at all. '),
};

it('quire ingest --dry-run needs no running Quire and shows addresses, chunks and what is left out', async () => {
  const { exitCode, terminal } = dryRun(await bookFolder(book));
  expect(await exitCode).toBe(0);
  expect(terminal.output).toMatch(
    /^intro\.md → https:\/\/book\.example\/docs\/intro.* {2}\(\d+ chunks?, [\d,]+ characters\)$/m,
  );
  expect(terminal.output).toMatch(/^ros2\/qos\.md → https:\/\/book\.example\/docs\/ros2\/qos/m);
  expect(terminal.output).toMatch(/^2 pages, \d+ chunks, [\d,]+ characters$/m);
  expect(terminal.output).toContain('  ros2/_partial.md: partial\n');
  expect(terminal.output).toContain('Nothing was written');
});

it('quire ingest --dry-run names pages that could not be ingested, with the reason, and ends with 1', async () => {
  const folder = await bookFolder({
    ...book,
    'bad.md': `---\ntitle: [unclosed\n---\n${page('Bad', 'Text ')}`,
    'binary.md': new Uint8Array([0xc3, 0x28]),
  });
  const { exitCode, terminal } = dryRun(folder);
  expect(await exitCode).toBe(1);
  expect(terminal.output).toContain('2 pages failed:\n');
  expect(terminal.output).toMatch(/ {2}bad\.md: .*front matter/i);
  expect(terminal.output).toMatch(/^2 pages, /m);
});

it('quire ingest --dry-run shows the duplicate of a draft and of a page that cannot be parsed', async () => {
  const [one, other] = ['One of two alike, ', 'Another pair alike, '].map((text) =>
    page('Twin', text + 'as pages are that were copied before they were written anew. '),
  );
  const folder = await bookFolder({
    'a-draft.md': `---\ndraft: true\n---\n${one}`,
    'b.md': `---\ntitle: B\n---\n${one}`,
    'c-broken.mdx': `${other}\n<Open>\n`,
    'd.md': other ?? '',
  });
  const { exitCode, terminal } = dryRun(folder);
  expect(await exitCode).toBe(1);
  expect(terminal.output).toMatch(/^b\.md → /m);
  expect(terminal.output).toMatch(/^d\.md → /m);
  expect(terminal.output).toContain('a-draft.md: draft');
});

it('quire ingest --dry-run with --json prints one object', async () => {
  const { exitCode, terminal } = dryRun(await bookFolder(book), '--json');
  expect(await exitCode).toBe(0);
  expect(JSON.parse(terminal.stdout)).toMatchObject({
    ok: true,
    dry_run: true,
    pages: [
      { path: 'intro.md', title: 'Intro' },
      { path: 'ros2/qos.md', title: 'Quality of service' },
    ],
    left_out: [{ path: 'ros2/_partial.md', reason: 'partial' }],
    failures: [],
  });
});
