import type { SiteLayout } from '@quire/shared/contracts';
import { join } from 'node:path';
import type { BookSource, LeftOut } from '../book-source.js';
import { formatOf } from '../page-format.js';
import { UnusableSource } from '../source-errors.js';
import { filePage, type PageFile } from './file-page.js';

/** The contents of a folder. */
export interface FolderContents {
  /** Follows the number of pages. */
  description: string;
  baseUrl: string;
  layout: SiteLayout;
  files: PageFile[];
  leftOut: LeftOut[];
}

export function pageFile(folder: string, page: Omit<PageFile, 'file' | 'format'>): PageFile {
  return { ...page, file: join(folder, page.path), format: formatOf(page.path) ?? 'markdown' };
}

/** The folder as a source; throws when it has no pages. */
export function asSource(folder: string, contents: FolderContents): BookSource {
  const { description, baseUrl, layout, files, leftOut } = contents;
  if (files.length === 0) throw new UnusableSource(noPages(folder, leftOut));
  return {
    description: `${files.length === 1 ? '1 page' : `${files.length} pages`} ${description}`,
    baseUrl,
    layout,
    whole: true,
    pages: files.map(filePage).sort((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut,
    close: async () => {},
  };
}

function noPages(folder: string, leftOut: readonly LeftOut[]): string {
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))].join(', ');
  const others = leftOut.length === 0 ? '' : `; left out: ${leftOut.length} (${reasons})`;
  return `There are no pages (.md, .mdx, .html) below ${folder}${others}.`;
}
