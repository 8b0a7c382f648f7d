import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { UnusableSource } from '../source-errors.js';
import { isInside, listFolder } from './list-folder.js';

const { signal } = new AbortController();
const files = (...paths: string[]) =>
  temporaryFolder(Object.fromEntries(paths.map((path) => [path, '# Page'])));

it('pages of a folder are found at any depth by their extension, sorted', async () => {
  const folder = await files(
    'z.html',
    'b/deep/er/c.md',
    'b.MDX',
    'a.HTM',
    'a.txt',
    'b/picture.png',
    'README',
  );
  const { paths, leftOut } = await listFolder(folder, { signal });
  expect(paths).toEqual(['a.HTM', 'b.MDX', 'b/deep/er/c.md', 'z.html']);
  expect(leftOut).toEqual([]);
});

it('pages of a folder keep odd names', async () => {
  const odd = [
    'a b.md',
    'c#1?.md',
    '100%.md',
    'new\nline.md',
    'e\u0301.md',
    '\u00e9.md',
    '..a/b.md',
    '語/言.md',
  ];
  const { paths } = await listFolder(await files(...odd), { signal });
  expect(paths).toEqual(odd.filter((name) => !name.startsWith('.')).sort());
});

it('pages of hidden folders and installed packages are not listed', async () => {
  const folder = await files('a.md', '.b.md', '.git/c.md', 'x/.y/d.md', 'node_modules/e/README.md');
  expect(await listFolder(folder, { signal })).toMatchObject({ paths: ['a.md'], leftOut: [] });
});

it('partials, which have an underscore or are below one, are left out', async () => {
  const folder = await files('a.md', '_b.md', 'x/_y/z/c.md');
  expect(await listFolder(folder, { signal })).toMatchObject({
    paths: ['a.md'],
    leftOut: [
      { path: '_b.md', reason: 'partial' },
      { path: 'x/_y/z/c.md', reason: 'partial' },
    ],
  });
});

it('the output of a generator is left out if its configuration is beside it', async () => {
  const folder = await files(
    'site/docusaurus.config.ts',
    'site/build/a.html',
    'manual/book.toml',
    'manual/book/b.html',
    'guide/build/c.md',
    'guide/book/d.md',
  );
  expect(await listFolder(folder, { signal })).toMatchObject({
    paths: ['guide/book/d.md', 'guide/build/c.md'],
    leftOut: [
      { path: 'manual/book/', reason: 'build output' },
      { path: 'site/build/', reason: 'build output' },
    ],
  });
});

it('translations are listed on request alone, and a chapter about i18n always', async () => {
  const folder = await files('i18n/de/a.md', 'docs/i18n/tutorial.md', 'docs/i18n/api/b.md');
  const chapter = ['docs/i18n/api/b.md', 'docs/i18n/tutorial.md'];
  expect(await listFolder(folder, { signal })).toMatchObject({
    paths: chapter,
    leftOut: [{ path: 'i18n/de/a.md', reason: 'translation' }],
  });
  const all = await listFolder(folder, { signal, translations: true });
  expect(all).toMatchObject({ paths: [...chapter, 'i18n/de/a.md'], leftOut: [] });
});

it('symbolic links to files in the folder are pages', async () => {
  const folder = await files('a.md', 'x/b.md');
  await symlink('../a.md', join(folder, 'x/link.md'));
  expect((await listFolder(folder, { signal })).paths).toEqual(['a.md', 'x/b.md', 'x/link.md']);
});

it('symbolic links that leave the folder, lead nowhere, in circles or to a folder are left out', async () => {
  const [folder, outside] = [await files('a.md', 'x/b.md'), await files('secret.md')];
  await symlink(join(outside, 'secret.md'), join(folder, 'leaving.md'));
  await symlink('nowhere.md', join(folder, 'broken.md'));
  await symlink('circle.md', join(folder, 'circle.md'));
  await symlink('..', join(folder, 'x/up'));
  const { paths, leftOut } = await listFolder(folder, { signal });
  expect(paths).toEqual(['a.md', 'x/b.md']);
  const links = ['broken.md', 'circle.md', 'leaving.md', 'x/up/'];
  expect(leftOut).toEqual(links.map((path) => ({ path, reason: 'symbolic link' })));
});

it('a folder can be given by a symbolic link', async () => {
  const [folder, elsewhere] = [await files('a.md', 'b.md'), await files()];
  await symlink('a.md', join(folder, 'c.md'));
  await symlink(folder, join(elsewhere, 'docs'));
  expect((await listFolder(join(elsewhere, 'docs'), { signal })).paths).toEqual(['a.md', 'b.md', 'c.md']);
});

it.each([
  ['/book/docs/a.md', true],
  ['/book/docs/..odd/a.md', true],
  ['/book/docs-old/a.md', false],
  ['/book/a.md', false],
  ['/', false],
])('the path %s is inside /book/docs: %s', (file, inside) => {
  expect(isInside('/book/docs', file)).toBe(inside);
});

it('listing a folder that does not exist fails', async () => {
  const listing = listFolder(join(await files(), 'nowhere'), { signal });
  await expect(listing).rejects.toThrow(/nowhere does not exist\.$/);
});

// Root may read every file.
it.skipIf(process.getuid?.() === 0)('listing a folder with an unreadable part fails', async () => {
  const folder = await files('a.md', 'private/b.md');
  await chmod(join(folder, 'private'), 0);
  await expect(listFolder(folder, { signal })).rejects.toThrow(
    /private cannot be read: permission denied\.$/,
  );
  await chmod(join(folder, 'private'), 0o700);
});

it('listing a folder with an impossible name fails', async () => {
  const listing = listFolder(join(await files(), 'x'.repeat(300)), { signal });
  await expect(listing).rejects.toThrow(UnusableSource);
});

it('listing a folder fails once the signal has fired', async () => {
  const reason = new Error('enough');
  const listing = listFolder(await files('a.md'), { signal: AbortSignal.abort(reason) });
  await expect(listing).rejects.toBe(reason);
});
