import type { Chunk } from '@quire/shared/contracts';

/** The host of addresses that are given as a path alone. */
const ANY_SITE = 'http://any-site.invalid/';

interface SectionAddress {
  /** Undefined for a path alone. */
  host: string | undefined;
  /** Starts and ends with a slash, so that paths are compared by whole names. */
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
 * compared as a whole. Without an anchor it is the page's introduction, the text above its first heading.
 */
export function isInSection(
  expected: string,
  { url, anchors = [] }: Pick<Chunk, 'url' | 'anchors'>,
): boolean {
  const [wanted, found] = [addressOf(expected), addressOf(url)];
  return isSamePage(wanted, found) && [found.anchor, ...anchors.map(decoded)].includes(wanted.anchor);
}

function isSamePage(wanted: SectionAddress, found: SectionAddress): boolean {
  if (wanted.host !== undefined) return wanted.host === found.host && wanted.page === found.page;
  return wanted.page === '/' ? found.isStartPage : found.page.endsWith(wanted.page);
}

function addressOf(text: string): SectionAddress {
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
