import { resolve } from 'node:path';
import { requiredBaseUrl } from '../base-url.js';
import type { BookSource, SourceOptions } from '../book-source.js';
import { docusaurusSite } from './docusaurus-site.js';
import { asSource, type FolderContents } from './folder-contents.js';
import { mdbookFolder } from './mdbook-folder.js';
import { plainFolder } from './plain-folder.js';
import { generatorAt, upwards, type SiteGenerator } from './site-generator.js';

/** How many levels above the pages a generator's configuration is searched. */
const LEVELS_ABOVE = 3;

export async function openFolder(given: string, options: SourceOptions): Promise<BookSource> {
  const baseUrl = requiredBaseUrl(options.baseUrl);
  const folder = resolve(given);
  const generator = await generatorOf(folder);
  const fits = options.layout === undefined || options.layout === generator?.layout;
  return asSource(folder, await contentsOf(folder, fits ? generator : undefined, baseUrl, options));
}

function contentsOf(
  folder: string,
  generator: SiteGenerator | undefined,
  baseUrl: string,
  options: SourceOptions,
): Promise<FolderContents> {
  if (generator?.layout === 'mdbook') return mdbookFolder(generator, baseUrl, options);
  if (generator?.home === folder) return docusaurusSite(generator, baseUrl, options);
  return plainFolder(folder, baseUrl, options.layout ?? generator?.layout, options);
}

/** The generator that is configured in this folder, or above it with this folder as its pages. */
async function generatorOf(folder: string): Promise<SiteGenerator | undefined> {
  for (const current of upwards(folder, LEVELS_ABOVE)) {
    const generator = await generatorAt(current);
    if (generator === undefined) continue;
    // An mdBook has one folder of pages; its neighbours are not published.
    const publishesFolder =
      current === folder || generator.layout === 'docusaurus' || generator.pages === folder;
    if (publishesFolder) return generator;
  }
  return undefined;
}
