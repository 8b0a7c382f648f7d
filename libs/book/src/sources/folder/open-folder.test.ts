import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openForTest, pathsOf, readPage } from '../../../test/open-for-test.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { UnreadablePage, UnusableSource } from '../source-errors.js';

const baseUrl = 'https://book.example/';

it('a plain folder is a whole book whose pages are read when needed', async () => {
  const folder = await temporaryFolder({ 'b/c.mdx': '# C', 'a.md': '# A', 'd.html': '<h1>D</h1>' });
  const source = await openForTest(folder, { baseUrl });
  expect(source).toMatchObject({
    description: `3 pages below ${folder}`,
    baseUrl: 'https://book.example',
    layout: 'plain',
    whole: true,
  });
  expect(pathsOf(source)).toEqual(['a.md', 'b/c.mdx', 'd.html']);
  const common = { layout: 'plain', base_url: 'https://book.example' };
  expect(await readPage(source, 'a.md')).toEqual({
    ...common,
    path: 'a.md',
    format: 'markdown',
    text: '# A',
  });
  expect(await readPage(source, 'b/c.mdx')).toMatchObject({ format: 'mdx' });
  expect(await readPage(source, 'd.html')).toMatchObject({ format: 'html' });
});

it('a page of a folder that cannot be read does not affect the others', async () => {
  const folder = await temporaryFolder({ 'a.md': Buffer.from([0xe9]), 'b.md': 'B' });
  const source = await openForTest(folder);
  await expect(readPage(source, 'a.md')).rejects.toBeInstanceOf(UnreadablePage);
  expect(await readPage(source, 'b.md')).toMatchObject({ text: 'B' });
});

it("a fired signal ends the reading of a folder's pages", async () => {
  const source = await openForTest(await temporaryFolder({ 'a.md': 'A' }));
  const reason = new Error('enough');
  await expect(readPage(source, 'a.md', AbortSignal.abort(reason))).rejects.toBe(reason);
});

it.each([
  ['front matter', { 'a.md': '# A', 'b/c.md': '---\nsidebar_position: 1\n---\n' }, 'docusaurus'],
  ['a category', { 'a.md': '# A', 'b/_category_.json': '{}' }, 'docusaurus'],
  ['a summary', { 'a.md': '# A', 'SUMMARY.md': '- [A](a.md)' }, 'mdbook'],
  ['nothing', { 'a.md': '---\ntitle: A\n---\n' }, 'plain'],
])('the generator of a folder is detected by %s', async (_what, files, layout) => {
  const source = await openForTest(await temporaryFolder(files));
  expect(source.layout).toBe(layout);
  expect(await readPage(source, 'a.md')).toMatchObject({ layout });
});

it.each(['docs', 'website/docs', 'a/b/docs'])(
  'the generator of a folder is detected by a Docusaurus configuration above %s',
  async (below) => {
    const root = await temporaryFolder({ 'docusaurus.config.mjs': '', [`${below}/a.md`]: '# A' });
    const source = await openForTest(join(root, below), { baseUrl });
    expect(source).toMatchObject({ layout: 'docusaurus', baseUrl: 'https://book.example' });
    expect(pathsOf(source)).toEqual(['a.md']);
  },
);

it('the generator of a folder is not detected by a configuration more than three levels above', async () => {
  const root = await temporaryFolder({ 'docusaurus.config.js': '', 'a/b/c/d/a.md': '# A' });
  expect(await openForTest(join(root, 'a/b/c/d'))).toMatchObject({ layout: 'plain' });
});

it('a given layout wins over the detected one of a folder', async () => {
  const folder = await temporaryFolder({
    'docusaurus.config.js': '',
    'docs/a.md': '---\nslug: /\n---\n',
    'more/b.md': '',
  });
  const source = await openForTest(folder, { layout: 'plain', baseUrl });
  expect(source).toMatchObject({ layout: 'plain', baseUrl: 'https://book.example' });
  expect(pathsOf(source)).toEqual(['docs/a.md', 'more/b.md']);
});

const docusaurusFiles = {
  'docusaurus.config.ts': 'export default {}',
  'docs/a.md': '# A',
  'docs/_b.md': '# B',
  'blog/c.md': '# C',
  'build/docs/a.html': '<h1>A</h1>',
  'i18n/de/docusaurus-plugin-content-docs/current/a.md': '# Ä',
  'i18n/de/docusaurus-plugin-content-blog/c.md': '# C',
};
const german = 'i18n/de/docusaurus-plugin-content-docs/current/a.md';

it('a Docusaurus site has its pages in docs and publishes them below /docs', async () => {
  const folder = await temporaryFolder(docusaurusFiles);
  const source = await openForTest(folder, { baseUrl });
  expect(pathsOf(source)).toEqual(['a.md']);
  expect(source).toMatchObject({
    layout: 'docusaurus',
    baseUrl: 'https://book.example/docs',
    description: `1 page of the Docusaurus site in ${folder}, published below https://book.example/docs`,
    leftOut: [
      { path: '_b.md', reason: 'partial' },
      { path: german, reason: 'translation' },
    ],
  });
  expect(await readPage(source, 'a.md')).toMatchObject({ base_url: 'https://book.example/docs' });
});

it('a Docusaurus site keeps a base URL that ends in /docs', async () => {
  const source = await openForTest(await temporaryFolder(docusaurusFiles), { baseUrl: `${baseUrl}docs/` });
  expect(source.baseUrl).toBe('https://book.example/docs');
});

it('a Docusaurus site has translations on request', async () => {
  const source = await openForTest(await temporaryFolder(docusaurusFiles), { baseUrl, translations: true });
  expect(pathsOf(source)).toEqual(['a.md', german]);
  expect(source.leftOut).toEqual([{ path: '_b.md', reason: 'partial' }]);
  expect(await readPage(source, german)).toMatchObject({
    base_url: 'https://book.example/docs',
    text: '# Ä',
  });
});

it('a Docusaurus site without docs folder is refused with advice', async () => {
  const folder = await temporaryFolder({ 'docusaurus.config.js': '', 'pages/a.md': '' });
  await expect(openForTest(folder)).rejects.toThrow(/no docs folder: give the folder that its pages are in/);
});

const mdbookFiles = {
  'book.toml': '[book]\ntitle = "B"\n',
  'src/SUMMARY.md': '# Summary\n[P](p.md)\n# Part\n- [A](a%20b.md)\n- [M](missing.md)\n- [U](_u.md)\n',
  'src/p.md': '# P',
  'src/a b.md': '# A',
  'src/_u.md': '# U',
  'src/_v.md': '# V',
  'src/unlinked.md': '# X',
  'README.md': '# R',
};

it('an mdBook publishes what its summary links to, with the parts as modules', async () => {
  const folder = await temporaryFolder(mdbookFiles);
  const source = await openForTest(folder);
  expect(pathsOf(source)).toEqual(['_u.md', 'a b.md', 'p.md']);
  expect(source).toMatchObject({
    layout: 'mdbook',
    description: `3 pages of the mdBook in ${folder}`,
    leftOut: [
      { path: '_v.md', reason: 'partial' },
      { path: 'unlinked.md', reason: 'not in SUMMARY.md' },
    ],
    notes: ['SUMMARY.md links to missing.md, which does not exist.'],
  });
  expect(await readPage(source, 'a b.md')).toMatchObject({ module: 'Part', layout: 'mdbook' });
  expect(await readPage(source, 'p.md')).not.toHaveProperty('module');
});

it('an mdBook can be given by its folder of pages', async () => {
  const source = await openForTest(join(await temporaryFolder(mdbookFiles), 'src'));
  expect(source.layout).toBe('mdbook');
  expect(pathsOf(source)).toEqual(['_u.md', 'a b.md', 'p.md']);
});

it('an mdBook needs its summary also when it is given by its folder of pages', async () => {
  const root = await temporaryFolder({ 'book.toml': '', 'src/a.md': '# A' });
  await expect(openForTest(join(root, 'src'))).rejects.toThrow(/SUMMARY\.md: The file is gone/);
});

it('an mdBook can have its pages in another folder', async () => {
  const toml = { 'book.toml': '[book]\nsrc = "text/en"\n', 'text/en/SUMMARY.md': '- [A](a.md)' };
  const folder = await temporaryFolder({ ...toml, 'text/en/a.md': '# A', 'src/b.md': '# B' });
  expect(pathsOf(await openForTest(folder))).toEqual(['a.md']);
});

it('an mdBook does not publish folders beside its pages', async () => {
  const root = await temporaryFolder({ ...mdbookFiles, 'notes/n.md': '# N' });
  expect(await openForTest(join(root, 'notes'))).toMatchObject({ layout: 'plain' });
});

it.each([
  ['no summary', { 'book.toml': '', 'src/a.md': '' }, /SUMMARY\.md: The file is gone\..*layout "plain"/],
  ['broken TOML', { 'book.toml': '[book', 'src/a.md': '' }, /book\.toml cannot be used: /],
  ['a wrong src', { 'book.toml': '[book]\nsrc = 1' }, /book\.toml cannot be used: `src` must be text/],
  ['no pages folder', { 'book.toml': '' }, /src does not exist/],
])('an mdBook with %s is refused', async (_what, unusable, message) => {
  const opening = openForTest(await temporaryFolder(unusable));
  await expect(opening).rejects.toThrow(UnusableSource);
  await expect(opening).rejects.toThrow(message);
});

it('a folder without base URL is refused', async () => {
  const opening = openForTest(await temporaryFolder({ 'a.md': '' }), { baseUrl: undefined });
  await expect(opening).rejects.toThrow(/Give the base URL/);
});

it('a folder that does not exist is refused', async () => {
  const opening = openForTest(join(await temporaryFolder({}), 'nowhere'));
  await expect(opening).rejects.toThrow(/nowhere does not exist\.$/);
});

it('a folder without pages is refused', async () => {
  const folder = await temporaryFolder({ 'a.txt': '', '_b.md': '' });
  await mkdir(join(folder, 'empty'));
  const message = `There are no pages (.md, .mdx, .html) below ${folder}; left out: 1 (partial).`;
  await expect(openForTest(folder)).rejects.toThrow(new UnusableSource(message));
});
