import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { UnusableSource } from '../source-errors.js';
import { isInside, listFolder } from './list-folder.js';

const { signal } = new AbortController();
const files = (...paths: string[]) =>
  temporaryFolder(Object.fromEntries(paths.map((path) => [path, '# Page'])));

describe('pages of a folder', () => {
  test('are found at any depth by their extension, sorted', async () => {
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

  test('keep odd names as they are', async () => {
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

  test('are not those of hidden folders and installed packages', async () => {
    const folder = await files('a.md', '.b.md', '.git/c.md', 'x/.y/d.md', 'node_modules/e/README.md');
    expect(await listFolder(folder, { signal })).toMatchObject({ paths: ['a.md'], leftOut: [] });
  });

  test('are not partials, which have an underscore or lie below one', async () => {
    const folder = await files('a.md', '_b.md', 'x/_y/z/c.md');
    expect(await listFolder(folder, { signal })).toMatchObject({
      paths: ['a.md'],
      leftOut: [
        { path: '_b.md', reason: 'partial' },
        { path: 'x/_y/z/c.md', reason: 'partial' },
      ],
    });
  });

  test('are not what a generator made of them, if its configuration lies beside', async () => {
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

  test('are translations only if they are wanted; a chapter about i18n always', async () => {
    const folder = await files('i18n/de/a.md', 'docs/i18n/tutorial.md', 'docs/i18n/api/b.md');
    const chapter = ['docs/i18n/api/b.md', 'docs/i18n/tutorial.md'];
    expect(await listFolder(folder, { signal })).toMatchObject({
      paths: chapter,
      leftOut: [{ path: 'i18n/de/a.md', reason: 'translation' }],
    });
    const all = await listFolder(folder, { signal, translations: true });
    expect(all).toMatchObject({ paths: [...chapter, 'i18n/de/a.md'], leftOut: [] });
  });
});

describe('symbolic links', () => {
  test('are pages if they lead to a file in the folder', async () => {
    const folder = await files('a.md', 'x/b.md');
    await symlink('../a.md', join(folder, 'x/link.md'));
    expect((await listFolder(folder, { signal })).paths).toEqual(['a.md', 'x/b.md', 'x/link.md']);
  });

  test('are left out if they leave the folder, lead nowhere, in circles or to a folder', async () => {
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

  test('may lead to the folder itself', async () => {
    const [folder, elsewhere] = [await files('a.md', 'b.md'), await files()];
    await symlink('a.md', join(folder, 'c.md'));
    await symlink(folder, join(elsewhere, 'docs'));
    expect((await listFolder(join(elsewhere, 'docs'), { signal })).paths).toEqual(['a.md', 'b.md', 'c.md']);
  });
});

test.each([
  ['/book/docs/a.md', true],
  ['/book/docs/..odd/a.md', true],
  ['/book/docs-old/a.md', false],
  ['/book/a.md', false],
  ['/', false],
])('%s is in /book/docs: %s', (file, inside) => {
  expect(isInside('/book/docs', file)).toBe(inside);
});

describe('a folder cannot be listed', () => {
  test('if it does not exist', async () => {
    const listing = listFolder(join(await files(), 'nowhere'), { signal });
    await expect(listing).rejects.toThrow(/nowhere does not exist\.$/);
  });

  // The file system does not refuse root anything.
  test.skipIf(process.getuid?.() === 0)('if a part of it may not be read', async () => {
    const folder = await files('a.md', 'private/b.md');
    await chmod(join(folder, 'private'), 0);
    await expect(listFolder(folder, { signal })).rejects.toThrow(
      /private cannot be read: permission denied\.$/,
    );
    await chmod(join(folder, 'private'), 0o700);
  });

  test('if its name is impossible', async () => {
    const listing = listFolder(join(await files(), 'x'.repeat(300)), { signal });
    await expect(listing).rejects.toThrow(UnusableSource);
  });

  test('once the signal has fired', async () => {
    const reason = new Error('enough');
    const listing = listFolder(await files('a.md'), { signal: AbortSignal.abort(reason) });
    await expect(listing).rejects.toBe(reason);
  });
});
