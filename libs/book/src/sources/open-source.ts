import { stat } from 'node:fs/promises';
import type { BookSource, SourceOptions } from './book-source.js';
import { openFile } from './folder/open-file.js';
import { openFolder } from './folder/open-folder.js';
import { openSite } from './site/open-site.js';
import { UnusableSource } from './source-errors.js';

/** Opens a site by its http(s) address, a folder, or a file as one page. */
export async function openSource(source: string, options: SourceOptions): Promise<BookSource> {
  options.signal.throwIfAborted();
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(source)) return openSite(source, options);
  const kind = await stat(source).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${error.code}`;
    throw new UnusableSource(`${source} ${why}.`, { cause: error });
  });
  if (kind.isDirectory()) return openFolder(source, options);
  if (kind.isFile()) return openFile(source, options);
  throw new UnusableSource(`${source} is neither a folder nor a file.`);
}
