import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openForTest, pathsOf, readPage } from '../../../test/open-for-test.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { UnusableSource } from '../source-errors.js';

it('a file is one page of a book', async () => {
  const folder = await temporaryFolder({ 'a b.md': '# A', 'c.md': '# C' });
  const source = await openForTest(join(folder, 'a b.md'));
  expect(source).toMatchObject({ whole: false, layout: 'plain', baseUrl: 'https://book.example' });
  expect(pathsOf(source)).toEqual(['a b.md']);
  expect(await readPage(source, 'a b.md')).toMatchObject({ text: '# A', format: 'markdown' });
});

it.each([
  ['the docs folder of a Docusaurus site', { 'docusaurus.config.js': '' }, 'docs/x/y/z/w/', 'a.md'],
  [
    'the pages of an mdBook',
    { 'book.toml': '', 'src/SUMMARY.md': '# S\n# P\n- [A](x/a.md)' },
    'src/x/',
    'a.md',
  ],
  ['the folder of a summary', { 'SUMMARY.md': '[A](x/a.md)' }, 'x/', 'a.md'],
  [
    'what is above Docusaurus categories',
    { 'x/_category_.json': '{}', 'x/y/_category_.yml': '' },
    'x/y/',
    'a.md',
  ],
])('the path of a file is relative to the root of its book: %s', async (_root, files, below, name) => {
  const root = await temporaryFolder({ ...files, [below + name]: '# A' });
  const source = await openForTest(join(root, below, name));
  expect(pathsOf(source)).toEqual([below.replace(/^(docs|src)\//, '') + name]);
  const inFolder = await openForTest(root, { baseUrl: 'https://book.example' });
  expect(inFolder.layout).toBe(source.layout);
  expect(pathsOf(inFolder)).toEqual(pathsOf(source));
});

it("the path of a file without a book's root is its name", async () => {
  const root = await temporaryFolder({ 'docusaurus.config.js': '', 'blog/x/a.md': '---\nslug: a\n---\n' });
  const source = await openForTest(join(root, 'blog/x/a.md'));
  expect(pathsOf(source)).toEqual(['a.md']);
  expect(source.layout).toBe('docusaurus');
});

it('a chapter of an mdBook that is given as a file has its part as module', async () => {
  const root = await temporaryFolder({
    'SUMMARY.md': '# S\n# Part\n- [A](a.md)\n- [B](b.md)',
    'a.md': '# A',
  });
  const source = await openForTest(join(root, 'a.md'));
  expect(await readPage(source, 'a.md')).toMatchObject({ module: 'Part', layout: 'mdbook' });
  expect(source.notes).toEqual([]);
});

it('a given layout wins over the detected one of a file', async () => {
  const root = await temporaryFolder({ 'SUMMARY.md': '', 'x/a.md': '---\nslug: a\n---\n' });
  expect(await openForTest(join(root, 'x/a.md'), { layout: 'plain' })).toMatchObject({ layout: 'plain' });
  const alone = await temporaryFolder({ 'a.md': '# A' });
  expect(await openForTest(join(alone, 'a.md'), { layout: 'mdbook' })).toMatchObject({ layout: 'mdbook' });
});

it.each([
  ['notes.txt', /notes\.txt is not a page: pages are \.md, \.mdx and \.html files/],
  ['unlinked.md', /does not link to unlinked\.md/],
])('a file is refused: %s', async (name, message) => {
  const folder = await temporaryFolder({ 'SUMMARY.md': '', [name]: '' });
  const opening = openForTest(join(folder, name));
  await expect(opening).rejects.toThrow(UnusableSource);
  await expect(opening).rejects.toThrow(message);
});

it('a file without base URL is refused', async () => {
  const folder = await temporaryFolder({ 'a.md': '' });
  await expect(openForTest(join(folder, 'a.md'), { baseUrl: undefined })).rejects.toThrow(
    /Give the base URL/,
  );
});

it.skipIf(process.platform === 'win32')('a path that is neither file nor folder is refused', async () => {
  await expect(openForTest('/dev/null')).rejects.toThrow('/dev/null is neither a folder nor a file.');
});
