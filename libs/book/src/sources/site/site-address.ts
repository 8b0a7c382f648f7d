import { normalBaseUrl, webAddress } from '../base-url.js';
import type { LeftOutReason } from '../book-source.js';
import { UnusableSource } from '../source-errors.js';

export interface SiteAddress {
  /** The URL without trailing slash; the book is every page below it. */
  base: URL;
  /** When the user gave it instead of the site's address. */
  sitemap: URL | undefined;
}

/** Parses the address of a site, of one of its HTML pages or of its sitemap. */
export function siteAddress(given: string, baseUrl: string | undefined): SiteAddress {
  const url = webAddress(given);
  const sitemap = /\.xml(\.gz)?$/i.test(url.pathname) ? url : undefined;
  const isFile = sitemap !== undefined || /\.html?$/i.test(url.pathname);
  const base = new URL(normalBaseUrl(baseUrl ?? (isFile ? new URL('.', url).href : url.href)));
  if (isSameHost(base, url)) return { base, sitemap };
  throw new UnusableSource(`The base URL must be on the site's own host, ${url.host}.`);
}

/** Why a page is not part of the book at `base`; undefined if it is. */
export function outsideReason(url: URL, base: URL): LeftOutReason | undefined {
  if (!isSameHost(url, base)) return 'other host';
  const root = base.pathname.replace(/\/$/, '');
  return url.pathname === root || url.pathname.startsWith(`${root}/`) ? undefined : 'outside the book';
}

/** Treats http and https on their default ports as equal. */
export function isSameHost(a: URL, b: URL): boolean {
  return a.host === b.host;
}

/** The path that identifies a page of a site in every run. */
export function sitePath(url: URL): string {
  return (url.pathname + url.search).slice(1) || 'index';
}
