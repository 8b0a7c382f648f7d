import { access } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { SiteLayout } from '@quire/shared/contracts';
import { requiredBaseUrl } from '../base-url.js';
import type { BookSource, SourceOptions } from '../book-source.js';
import { formatOf } from '../page-format.js';
import { UnusableSource } from '../source-errors.js';
import { hasDocusaurusFrontMatter } from './docusaurus-style.js';
import { filePage } from './file-page.js';
import { isInside } from './list-folder.js';
import { publishedChapters } from './published-chapters.js';
import { generatorAt, upwards } from './site-generator.js';

const LEVELS_ABOVE = 12;

/** One page. Its path is relative to its book's root, if that is found, so that it replaces the page of that path. */
export async function openFile(given: string, options: SourceOptions): Promise<BookSource> {
  const file = resolve(given);
  const format = formatOf(file);
  if (format === undefined) {
    throw new UnusableSource(`${given} is not a page: pages are .md, .mdx and .html files.`);
  }
  const baseUrl = requiredBaseUrl(options.baseUrl);
  const { root, layout, generated } = await bookOf(file, options);
  const path = relative(root, file).split(sep).join('/');
  const module = layout === 'mdbook' && generated ? await partOf(root, path) : undefined;
  return {
    description: `The page ${path} below ${root}`,
    baseUrl,
    layout,
    whole: false,
    pages: [filePage({ path, file, format, layout, baseUrl, module })],
    leftOut: [],
    close: async () => {},
  };
}

interface Surroundings {
  root: string;
  layout: SiteLayout;
  /** Whether a generator's configuration defines it. */
  generated: boolean;
}

async function bookOf(file: string, options: SourceOptions): Promise<Surroundings> {
  for (const folder of upwards(dirname(file), LEVELS_ABOVE)) {
    const generator = await generatorAt(folder);
    const fits = options.layout === undefined || options.layout === generator?.layout;
    if (generator && fits && isInside(generator.pages, file)) {
      return { root: generator.pages, layout: generator.layout, generated: true };
    }
  }
  const root = await aboveCategories(dirname(file));
  if (options.layout !== undefined) return { root, layout: options.layout, generated: false };
  const inCategory = root !== dirname(file);
  const isDocusaurus =
    inCategory || (await hasDocusaurusFrontMatter(dirname(file), [basename(file)], options.signal));
  return { root, layout: isDocusaurus ? 'docusaurus' : 'plain', generated: false };
}

/** A folder with Docusaurus's `_category_` file is a chapter; the book's root is above. */
async function aboveCategories(folder: string): Promise<string> {
  for (const current of upwards(folder, LEVELS_ABOVE)) {
    const isCategory = await Promise.any(
      ['json', 'yml', 'yaml'].map((extension) => access(join(current, `_category_.${extension}`))),
    ).then(
      () => true,
      () => false,
    );
    if (!isCategory) return current;
  }
  return folder;
}

async function partOf(root: string, path: string): Promise<string | undefined> {
  const listing = { paths: [path], leftOut: [], hasCategories: false };
  // The other chapters were not listed, so all their files would be reported as missing.
  const { parts } = await publishedChapters(root, listing, () => {});
  if (parts.has(path)) return parts.get(path);
  throw new UnusableSource(`SUMMARY.md in ${root} does not link to ${path}: the book has no such page.`);
}
