import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The fault of one page; the others go on. */
export class UnreadablePage extends Error {}

/** A page's text without byte order mark. */
export async function readPage(folder: string, path: string): Promise<string> {
  const bytes = await readFile(join(folder, path)).catch((cause: unknown) => {
    throw new UnreadablePage('The file cannot be read', { cause });
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UnreadablePage('The file is not valid UTF-8', { cause });
  }
}
