import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LeftOut, SourceOptions } from '../book-source.js';
import { UnusableSource } from '../source-errors.js';
import type { PageFile } from './file-page.js';
import { pageFile, type FolderContents } from './folder-contents.js';
import { listFolder } from './list-folder.js';
import type { SiteGenerator } from './site-generator.js';

const layout = 'docusaurus';

/** A whole Docusaurus site: its `docs` folder and, on request, the translations of it. */
export async function docusaurusSite(
  { home, pages: docs }: SiteGenerator,
  siteUrl: string,
  options: SourceOptions,
): Promise<FolderContents> {
  const baseUrl = siteUrl.endsWith('/docs') ? siteUrl : `${siteUrl}/docs`;
  const listing = await listDocs(home, docs, options);
  const translations = await translatedPages(home, baseUrl, options);
  const translated = translations.map(({ path }): LeftOut => ({ path, reason: 'translation' }));
  return {
    description: `of the Docusaurus site in ${home}, published below ${baseUrl}`,
    baseUrl,
    layout,
    files: [
      ...listing.paths.map((path) => pageFile(docs, { path, layout, baseUrl })),
      ...(options.translations ? translations : []),
    ],
    leftOut: [...listing.leftOut, ...(options.translations ? [] : translated)],
  };
}

async function listDocs(home: string, docs: string, options: SourceOptions) {
  const names = await readdir(home);
  if (names.includes('docs')) return listFolder(docs, options);
  throw new UnusableSource(
    `The Docusaurus site in ${home} has no docs folder: give the folder that its pages are in.`,
  );
}

async function translatedPages(home: string, baseUrl: string, options: SourceOptions): Promise<PageFile[]> {
  const locales = await readdir(join(home, 'i18n')).catch((): string[] => []);
  const found = locales.map(async (locale) => {
    const below = `i18n/${locale}/docusaurus-plugin-content-docs/current`;
    const exists = await readdir(join(home, below)).catch(() => undefined);
    if (exists === undefined) return [];
    const { paths } = await listFolder(join(home, below), options);
    return paths.map((path) => pageFile(home, { path: `${below}/${path}`, layout, baseUrl }));
  });
  return (await Promise.all(found)).flat();
}
