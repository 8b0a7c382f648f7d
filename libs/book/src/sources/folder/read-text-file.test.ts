import { execFileSync } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { UnreadablePage } from '../source-errors.js';
import { readTextFile } from './read-text-file.js';

const bytes = (...parts: (number[] | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

it.each([
  ['UTF-8', Buffer.from('größer 🚀')],
  ['UTF-8 with byte order mark', bytes([0xef, 0xbb, 0xbf], Buffer.from('größer 🚀'))],
  ['UTF-16 little endian', bytes([0xff, 0xfe], Buffer.from('größer 🚀', 'utf16le'))],
  ['UTF-16 big endian', bytes([0xfe, 0xff], utf16be('größer 🚀'))],
])('the text of a page is read from %s without byte order mark', async (_encoding, content) => {
  const folder = await temporaryFolder({ 'a.md': content });
  expect(await readTextFile(join(folder, 'a.md'))).toBe('größer 🚀');
});

it('an empty file is a page with empty text', async () => {
  expect(await readTextFile(join(await temporaryFolder({ 'a.md': '' }), 'a.md'))).toBe('');
});

it('a page may have 5 MB and not a byte more', async () => {
  const file = join(await temporaryFolder({ 'a.md': '' }), 'a.md');
  await truncate(file, 5 * 1024 * 1024);
  expect(await readTextFile(file)).toHaveLength(5 * 1024 * 1024);
  await truncate(file, 5 * 1024 * 1024 + 1);
  await expect(readTextFile(file)).rejects.toThrow(new UnreadablePage('Larger than 5 MB'));
});

it.each([
  ['Latin-1', Buffer.from('größer', 'latin1'), 'The file is not valid UTF-8'],
  ['a cut character', Buffer.from('🚀').subarray(0, 3), 'The file is not valid UTF-8'],
  ['half a UTF-16 pair', bytes([0xff, 0xfe, 0x00, 0xd8]), 'The file is not valid UTF-16'],
])('an unreadable file is reported with its reason: %s', async (_what, content, message) => {
  const folder = await temporaryFolder({ 'a.md': content });
  await expect(readTextFile(join(folder, 'a.md'))).rejects.toThrow(new UnreadablePage(message));
});

it('a file that is gone is reported as unreadable', async () => {
  const folder = await temporaryFolder({});
  await expect(readTextFile(join(folder, 'a.md'))).rejects.toThrow(new UnreadablePage('The file is gone'));
});

it('a folder instead of a file is reported as unreadable', async () => {
  const folder = await temporaryFolder({ 'a.md/b.md': '' });
  const reading = readTextFile(join(folder, 'a.md'));
  await expect(reading).rejects.toThrow(new UnreadablePage('Not a file any more'));
});

it.skipIf(process.platform === 'win32')(
  'a pipe instead of a file is reported as unreadable, without waiting for its writer',
  async () => {
    const file = join(await temporaryFolder({}), 'a.md');
    execFileSync('mkfifo', [file]);
    await expect(readTextFile(file)).rejects.toThrow(new UnreadablePage('Not a file any more'));
  },
);

// Files of /proc have a size of 0 and grow when they are read.
it.runIf(process.platform === 'linux')(
  'a file that grows beyond the limit while it is read is reported as unreadable',
  async () => {
    const reading = readTextFile('/proc/self/status');
    await expect(reading).rejects.toThrow(new UnreadablePage('The file changed while it was read'));
  },
);
