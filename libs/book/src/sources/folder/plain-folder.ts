import type { SiteLayout } from '@quire/shared/contracts';
import type { SourceOptions } from '../book-source.js';
import { hasDocusaurusFrontMatter } from './docusaurus-style.js';
import { pageFile, type FolderContents } from './folder-contents.js';
import { listFolder, type Listing } from './list-folder.js';

/** A folder that is the pages' root; unless given, the layout is detected from the pages. */
export async function plainFolder(
  folder: string,
  baseUrl: string,
  known: SiteLayout | undefined,
  options: SourceOptions,
): Promise<FolderContents> {
  const listing = await listFolder(folder, options);
  const layout = known ?? (await layoutOf(folder, listing, options.signal));
  return {
    description: `below ${folder}${layout === 'plain' ? '' : `, published by ${layout}`}`,
    baseUrl,
    layout,
    files: listing.paths.map((path) => pageFile(folder, { path, layout, baseUrl })),
    leftOut: listing.leftOut,
  };
}

async function layoutOf(folder: string, listing: Listing, signal: AbortSignal): Promise<SiteLayout> {
  if (listing.hasCategories) return 'docusaurus';
  return (await hasDocusaurusFrontMatter(folder, listing.paths, signal)) ? 'docusaurus' : 'plain';
}
