import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPages } from './find-pages.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-book-'));
  const files = [
    'index.md',
    'ros2/topics.MDX',
    'ros2/deep/er/qos.md',
    'ros2/_partial.md',
    '_drafts/later.md',
    '.hidden/secret.md',
    'node_modules/pkg/README.md',
    'ros2/picture.png',
    'ros2/notes.txt',
  ];
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), '# Page');
  }
});
afterAll(() => rm(folder, { recursive: true }));

test('finds Markdown at any depth, without partials, hidden folders and installed packages', async () => {
  expect(await findPages(folder)).toEqual(['index.md', 'ros2/deep/er/qos.md', 'ros2/topics.MDX']);
});

test('the folder itself may have any name', async () => {
  expect(await findPages(join(folder, '_drafts'))).toEqual(['later.md']);
});

test.each([
  ['nowhere', 'does not exist'],
  ['index.md', 'is not a folder'],
])('%s %s, which is a wrong call', async (name, reason) => {
  await expect(findPages(join(folder, name))).rejects.toMatchObject({
    message: expect.stringContaining(reason) as string,
    exitCode: 2,
  });
});
