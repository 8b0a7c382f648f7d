import type { Page } from '@quire/shared/contracts';

export type PageAddress = Pick<Page, 'path' | 'format' | 'layout' | 'base_url' | 'url' | 'module'>;

export interface OwnAddress {
  slug?: string | undefined;
  id?: string | undefined;
}

const TRANSLATION = /^i18n\/([^/]+)\/docusaurus-plugin-content-docs\/current\/(.+)$/;

/** The address at which the site generator serves a page. */
export function pageUrl(page: PageAddress, own: OwnAddress = {}): string {
  if (page.url !== undefined) return withoutHash(page.url);
  const { base, path } = baseAndPath(page);
  const route = () => {
    if (page.layout === 'mdbook') return mdbookRoute(path);
    if (page.format === 'html') return htmlRoute(path);
    return docusaurusRoute(path, page.layout === 'docusaurus' ? withoutNumberPrefix : (name) => name, own);
  };
  return base + route();
}

/** The book's part that a page belongs to: its first folder, undefined for a page at the root. */
export function moduleOf(page: PageAddress): string {
  if (page.module !== undefined) return page.module;
  const [first = '', ...rest] = pathInBook(page).split('/');
  if (rest.length === 0) return '';
  return page.layout === 'docusaurus' ? withoutNumberPrefix(first) : first;
}

/** The title of a page without one: its file name without extension and number, or its host. */
export function fileTitle({ path, layout, url }: PageAddress): string {
  const found = url === undefined ? undefined : new URL(url);
  const last = (found?.pathname ?? path).split('/').findLast((name) => name !== '');
  const name = withoutExtension(last ?? found?.host ?? path);
  return layout === 'docusaurus' ? withoutNumberPrefix(name) : name;
}

/** `02-topics` → `topics`; dates and versions (`2024-11-notes`, `7.0-foo`) stay. */
export function withoutNumberPrefix(name: string): string {
  if (/^\d+[-_.]\d+/.test(name)) return name;
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/.exec(name)?.[1] ?? name;
}

function pathInBook(page: PageAddress): string {
  if (page.url === undefined) return baseAndPath(page).path;
  const below = new URL(page.url).pathname.slice(rootOf(page.base_url).length);
  return below.replace(/^\//, '');
}

/** The base URL's path without trailing slash. */
function rootOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '');
}

/** Docusaurus keeps translated pages in a separate folder and serves them below site and language. */
function baseAndPath({ base_url: baseUrl, layout, path }: PageAddress): { base: string; path: string } {
  const { origin } = new URL(baseUrl);
  const root = rootOf(baseUrl);
  const translation = layout === 'docusaurus' ? TRANSLATION.exec(path) : null;
  const [, locale, below] = translation ?? [];
  if (locale === undefined || below === undefined) return { base: origin + root, path };
  const [, site = '', docs = ''] = /^(.*?)(\/docs)?$/.exec(root) ?? [];
  return { base: `${origin}${site}/${encodeName(locale)}${docs}`, path: below };
}

/** An index page has its folder's address; a slug is relative to the folder unless it starts with a slash. */
function docusaurusRoute(path: string, shown: (name: string) => string, { slug, id }: OwnAddress): string {
  const folders = path.split('/');
  const fileName = withoutExtension(folders.pop() ?? '');
  const folder = folders.map((name) => `${encodeName(shown(name))}/`).join('');
  const resolve = (below: string) => new URL(below, `http://book/${folder}`).pathname;
  if (slug !== undefined) return resolve(slug.toWellFormed().replaceAll(/[?#]/g, encodeURIComponent));
  if (isFolderIndex(fileName, folders.at(-1))) return `/${folder}`;
  return resolve(`./${encodeName(id ?? shown(fileName))}`);
}

/** mdBook renames `README.md` alone. */
function mdbookRoute(path: string): string {
  const folders = path.split('/');
  const fileName = folders.pop() ?? '';
  const name = withoutExtension(fileName);
  const shown = fileName === name || /\.html?$/i.test(fileName) ? fileName : `${name}.html`;
  return encodePath([...folders, /^readme\.html$/i.test(shown) ? 'index.html' : shown]);
}

function htmlRoute(path: string): string {
  const folders = path.split('/');
  const fileName = folders.pop() ?? '';
  return encodePath([...folders, fileName === 'index.html' ? '' : fileName]);
}

function isFolderIndex(fileName: string, folder: string | undefined): boolean {
  const name = fileName.toLowerCase();
  return name === 'index' || name === 'readme' || name === folder?.toLowerCase();
}

function withoutExtension(fileName: string): string {
  return fileName.replace(/\.(?:mdx?|markdown|html?)$/i, '');
}

function encodePath(names: readonly string[]): string {
  return `/${names.map(encodeName).join('/')}`;
}

function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}

function withoutHash(url: string): string {
  const { href, hash } = new URL(url);
  return hash === '' ? href.replace(/#$/, '') : href.slice(0, -hash.length);
}
