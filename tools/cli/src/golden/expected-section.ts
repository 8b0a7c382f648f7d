import type { Chunk } from '@quire/shared/contracts';

/** Stands in for the site where only a path is given. */
const ANY_SITE = 'http://any-site.invalid/';

interface Place {
  /** Undefined where only a path is given. */
  host: string | undefined;
  /** Between slashes, so that paths are compared by whole names. */
  page: string;
  isStartPage: boolean;
  anchor: string;
}

export function isExpectedSection(text: string): boolean {
  return /^[^\s#]/.test(text) && !/\s/.test(text) && URL.canParse(text, ANY_SITE);
}

/**
 * Whether a chunk belongs to an expected section. A path is compared with the end of the chunk's, so that golden
 * files do not depend on where the book is published; `/` is a start page, whose URL ends in a slash. A URL is
 * compared as a whole. Without an anchor the page's introduction is meant: what stands above its first heading.
 */
export function isInSection(
  expected: string,
  { url, anchors = [] }: Pick<Chunk, 'url' | 'anchors'>,
): boolean {
  const [wanted, found] = [placeOf(expected), placeOf(url)];
  return isSamePage(wanted, found) && [found.anchor, ...anchors.map(decoded)].includes(wanted.anchor);
}

function isSamePage(wanted: Place, found: Place): boolean {
  if (wanted.host !== undefined) return wanted.host === found.host && wanted.page === found.page;
  return wanted.page === '/' ? found.isStartPage : found.page.endsWith(wanted.page);
}

function placeOf(text: string): Place {
  const isUrl = /^https?:\/\//i.test(text);
  const { host, pathname, search, hash } = new URL(isUrl ? text : text.replace(/^\/+/, ''), ANY_SITE);
  const path = decoded(pathname).replace(/\/index\.html$/i, '/');
  const names = path
    .replace(/\.html$/i, '')
    .split('/')
    .filter(Boolean);
  return {
    host: isUrl ? host : undefined,
    page: names.length === 0 ? '/' : `/${names.join('/')}${search}/`,
    isStartPage: path.endsWith('/'),
    anchor: decoded(hash.slice(1)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
