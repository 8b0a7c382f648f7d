import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { CommandFailure, exitCodes } from '../command-failure.js';

/** The Markdown pages below a folder, as sorted relative paths with forward slashes; partials and drafts stay out. */
export async function findPages(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'ENOTDIR'
          ? 'is not a folder'
          : error.code === 'ENOENT'
            ? 'does not exist'
            : 'cannot be read';
      throw new CommandFailure(`${folder} ${reason}.`, exitCodes.usage);
    },
  );
  return entries
    .filter((entry) => entry.isFile() && /\.mdx?$/i.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep))
    .filter((names) => !names.some(isLeftOut))
    .map((names) => names.join('/'))
    .sort();
}

function isLeftOut(name: string): boolean {
  return name.startsWith('_') || name.startsWith('.') || name === 'node_modules';
}
