import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { UnreadablePage } from '../source-errors.js';

const MAX_BYTES = 5 * 1024 * 1024;

/** Rejects with `UnreadablePage` for every problem of the file. */
export async function readTextFile(file: string): Promise<string> {
  // Opening a pipe would block for ever.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(fail);
  try {
    return decodeText(await readBytes(handle));
  } catch (error) {
    return fail(error);
  } finally {
    await handle.close();
  }
}

async function readBytes(handle: FileHandle): Promise<Uint8Array> {
  const before = await handle.stat();
  if (!before.isFile()) throw new UnreadablePage('Not a file any more');
  if (before.size > MAX_BYTES) throw new UnreadablePage('Larger than 5 MB');
  const bytes = Buffer.alloc(before.size + 1);
  let filled = 0;
  for (let count = -1; count !== 0 && filled < bytes.length; filled += count) {
    ({ bytesRead: count } = await handle.read(bytes, filled));
  }
  const after = await handle.stat();
  if (filled !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw new UnreadablePage('The file changed while it was read');
  }
  return bytes.subarray(0, filled);
}

/** A file's text without byte order mark; UTF-8 unless the mark names UTF-16. */
function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    const name = encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
    throw new UnreadablePage(`The file is not valid ${name}`, { cause });
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}

function fail(error: unknown): never {
  if (error instanceof UnreadablePage) throw error;
  const gone = (error as NodeJS.ErrnoException).code === 'ENOENT';
  throw new UnreadablePage(gone ? 'The file is gone' : 'The file cannot be read', { cause: error });
}
