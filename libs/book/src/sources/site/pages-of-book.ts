import type { LeftOut, LeftOutReason } from '../book-source.js';
import type { RobotRules } from './robot-rules.js';
import { isSameHost, outsideReason, sitePath } from './site-address.js';

const OTHER_FILES =
  /\.(pdf|epub|png|jpe?g|gif|svg|webp|avif|ico|mp[34]|webm|zip|t?gz|xml|json|ya?ml|txt|md|css|m?js|woff2?)$/i;

export interface PagesOfBook {
  /** Sorted by path, each page once. */
  urls: URL[];
  leftOut: LeftOut[];
}

/** The addresses in a sitemap that are pages of the book at `base` and allowed by robots.txt. */
export function pagesOfBook(listed: readonly URL[], base: URL, robots: RobotRules): PagesOfBook {
  const pages = new Map<string, URL>();
  const leftOut = new Map<string, LeftOut>();
  for (const each of listed) {
    const url = asServed(each, base);
    const reason = outsideReason(url, base) ?? reasonInside(url, robots);
    const path = isSameHost(url, base) ? sitePath(url) : url.href;
    if (reason !== undefined) leftOut.set(path, { path, reason });
    else if (!pages.has(path)) pages.set(path, url);
  }
  const byPath = [...pages].sort(([a], [b]) => (a < b ? -1 : 1));
  return { urls: byPath.map(([, url]) => url), leftOut: [...leftOut.values()] };
}

/** Sitemaps keep http addresses long after a site has moved to https. */
function asServed(listed: URL, base: URL): URL {
  const url = new URL(listed);
  url.hash = '';
  if (url.protocol === 'http:' && isSameHost(url, base)) url.protocol = base.protocol;
  return url;
}

function reasonInside(url: URL, robots: RobotRules): LeftOutReason | undefined {
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return 'outside the book';
  if (!robots.allows(url)) return 'disallowed by robots.txt';
  return OTHER_FILES.test(url.pathname) ? 'not HTML' : undefined;
}
