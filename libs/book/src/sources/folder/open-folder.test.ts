import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openForTest, pathsOf, readPage } from '../../../test/open-for-test.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { UnreadablePage, UnusableSource } from '../source-errors.js';

const baseUrl = 'https://book.example/';

describe('a plain folder', () => {
  test('is a whole book of pages that are read when their turn comes', async () => {
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

  test('a page that cannot be read does not spoil the others', async () => {
    const folder = await temporaryFolder({ 'a.md': Buffer.from([0xe9]), 'b.md': 'B' });
    const source = await openForTest(folder);
    await expect(readPage(source, 'a.md')).rejects.toBeInstanceOf(UnreadablePage);
    expect(await readPage(source, 'b.md')).toMatchObject({ text: 'B' });
  });

  test('a fired signal ends the reading', async () => {
    const source = await openForTest(await temporaryFolder({ 'a.md': 'A' }));
    const reason = new Error('enough');
    await expect(readPage(source, 'a.md', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('who publishes a folder shows in', () => {
  test.each([
    ['front matter', { 'a.md': '# A', 'b/c.md': '---\nsidebar_position: 1\n---\n' }, 'docusaurus'],
    ['a category', { 'a.md': '# A', 'b/_category_.json': '{}' }, 'docusaurus'],
    ['a summary', { 'a.md': '# A', 'SUMMARY.md': '- [A](a.md)' }, 'mdbook'],
    ['nothing', { 'a.md': '---\ntitle: A\n---\n' }, 'plain'],
  ])('%s', async (_what, files, layout) => {
    const source = await openForTest(await temporaryFolder(files));
    expect(source.layout).toBe(layout);
    expect(await readPage(source, 'a.md')).toMatchObject({ layout });
  });

  test.each(['docs', 'website/docs', 'a/b/docs'])('a Docusaurus configuration above %s', async (below) => {
    const root = await temporaryFolder({ 'docusaurus.config.mjs': '', [`${below}/a.md`]: '# A' });
    const source = await openForTest(join(root, below), { baseUrl });
    expect(source).toMatchObject({ layout: 'docusaurus', baseUrl: 'https://book.example' });
    expect(pathsOf(source)).toEqual(['a.md']);
  });

  test('no configuration that is more than three levels above', async () => {
    const root = await temporaryFolder({ 'docusaurus.config.js': '', 'a/b/c/d/a.md': '# A' });
    expect(await openForTest(join(root, 'a/b/c/d'))).toMatchObject({ layout: 'plain' });
  });

  test('what the user says, before anything else', async () => {
    const folder = await temporaryFolder({
      'docusaurus.config.js': '',
      'docs/a.md': '---\nslug: /\n---\n',
      'more/b.md': '',
    });
    const source = await openForTest(folder, { layout: 'plain', baseUrl });
    expect(source).toMatchObject({ layout: 'plain', baseUrl: 'https://book.example' });
    expect(pathsOf(source)).toEqual(['docs/a.md', 'more/b.md']);
  });
});

describe('a Docusaurus site', () => {
  const files = {
    'docusaurus.config.ts': 'export default {}',
    'docs/a.md': '# A',
    'docs/_b.md': '# B',
    'blog/c.md': '# C',
    'build/docs/a.html': '<h1>A</h1>',
    'i18n/de/docusaurus-plugin-content-docs/current/a.md': '# Ä',
    'i18n/de/docusaurus-plugin-content-blog/c.md': '# C',
  };
  const german = 'i18n/de/docusaurus-plugin-content-docs/current/a.md';

  test('has its pages in docs and publishes them below /docs', async () => {
    const folder = await temporaryFolder(files);
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

  test('keeps a base URL that ends in /docs', async () => {
    const source = await openForTest(await temporaryFolder(files), { baseUrl: `${baseUrl}docs/` });
    expect(source.baseUrl).toBe('https://book.example/docs');
  });

  test('has translations if they are wanted', async () => {
    const source = await openForTest(await temporaryFolder(files), { baseUrl, translations: true });
    expect(pathsOf(source)).toEqual(['a.md', german]);
    expect(source.leftOut).toEqual([{ path: '_b.md', reason: 'partial' }]);
    expect(await readPage(source, german)).toMatchObject({
      base_url: 'https://book.example/docs',
      text: '# Ä',
    });
  });

  test('without docs folder needs to be told where the pages are', async () => {
    const folder = await temporaryFolder({ 'docusaurus.config.js': '', 'pages/a.md': '' });
    await expect(openForTest(folder)).rejects.toThrow(
      /no docs folder: give the folder that its pages are in/,
    );
  });
});

describe('an mdBook', () => {
  const files = {
    'book.toml': '[book]\ntitle = "B"\n',
    'src/SUMMARY.md': '# Summary\n[P](p.md)\n# Part\n- [A](a%20b.md)\n- [M](missing.md)\n- [U](_u.md)\n',
    'src/p.md': '# P',
    'src/a b.md': '# A',
    'src/_u.md': '# U',
    'src/_v.md': '# V',
    'src/unlinked.md': '# X',
    'README.md': '# R',
  };

  test('publishes what its summary links to, with the parts as modules', async () => {
    const folder = await temporaryFolder(files);
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

  test('may be given by its folder of pages', async () => {
    const source = await openForTest(join(await temporaryFolder(files), 'src'));
    expect(source.layout).toBe('mdbook');
    expect(pathsOf(source)).toEqual(['_u.md', 'a b.md', 'p.md']);
  });

  test('needs its summary also when it is given by its folder of pages', async () => {
    const root = await temporaryFolder({ 'book.toml': '', 'src/a.md': '# A' });
    await expect(openForTest(join(root, 'src'))).rejects.toThrow(/SUMMARY\.md: The file is gone/);
  });

  test('may have its pages elsewhere', async () => {
    const toml = { 'book.toml': '[book]\nsrc = "text/en"\n', 'text/en/SUMMARY.md': '- [A](a.md)' };
    const folder = await temporaryFolder({ ...toml, 'text/en/a.md': '# A', 'src/b.md': '# B' });
    expect(pathsOf(await openForTest(folder))).toEqual(['a.md']);
  });

  test('does not publish folders beside its pages', async () => {
    const root = await temporaryFolder({ ...files, 'notes/n.md': '# N' });
    expect(await openForTest(join(root, 'notes'))).toMatchObject({ layout: 'plain' });
  });

  test.each([
    ['no summary', { 'book.toml': '', 'src/a.md': '' }, /SUMMARY\.md: The file is gone\..*layout "plain"/],
    ['broken TOML', { 'book.toml': '[book', 'src/a.md': '' }, /book\.toml cannot be used: /],
    ['a wrong src', { 'book.toml': '[book]\nsrc = 1' }, /book\.toml cannot be used: `src` must be text/],
    ['no pages folder', { 'book.toml': '' }, /src does not exist/],
  ])('with %s is unusable', async (_what, unusable, message) => {
    const opening = openForTest(await temporaryFolder(unusable));
    await expect(opening).rejects.toThrow(UnusableSource);
    await expect(opening).rejects.toThrow(message);
  });
});

describe('a folder is unusable', () => {
  test('without base URL', async () => {
    const opening = openForTest(await temporaryFolder({ 'a.md': '' }), { baseUrl: undefined });
    await expect(opening).rejects.toThrow(/Give the base URL/);
  });

  test('that does not exist', async () => {
    const opening = openForTest(join(await temporaryFolder({}), 'nowhere'));
    await expect(opening).rejects.toThrow(/nowhere does not exist\.$/);
  });

  test('without pages', async () => {
    const folder = await temporaryFolder({ 'a.txt': '', '_b.md': '' });
    await mkdir(join(folder, 'empty'));
    const message = `There are no pages (.md, .mdx, .html) below ${folder}; left out: 1 (partial).`;
    await expect(openForTest(folder)).rejects.toThrow(new UnusableSource(message));
  });
});
