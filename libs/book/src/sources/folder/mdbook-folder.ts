import type { SourceOptions } from '../book-source.js';
import { pageFile, type FolderContents } from './folder-contents.js';
import { listFolder } from './list-folder.js';
import { publishedChapters } from './published-chapters.js';
import type { SiteGenerator } from './site-generator.js';

export async function mdbookFolder(
  { home, pages: folder }: SiteGenerator,
  baseUrl: string,
  options: SourceOptions,
): Promise<FolderContents> {
  const listing = await listFolder(folder, options);
  const { parts, leftOut } = await publishedChapters(folder, listing, options.note);
  return {
    description: `of the mdBook in ${home}`,
    baseUrl,
    layout: 'mdbook',
    files: [...parts].map(([path, module]) => pageFile(folder, { path, layout: 'mdbook', baseUrl, module })),
    leftOut,
  };
}
