import { normalBaseUrl } from '../base-url.js';
import type { BookSource, LeftOut, SourceOptions } from '../book-source.js';
import { UnusableSource } from '../source-errors.js';
import { fetchRobotRules } from './fetch-robot-rules.js';
import { findSitemapPages } from './find-sitemap-pages.js';
import { pagesOfBook } from './pages-of-book.js';
import { outsideReason, siteAddress, type SiteAddress } from './site-address.js';
import { SiteClient } from './site-client.js';
import { siteSettings } from './site-options.js';
import { sitePage } from './site-page.js';

/** The pages that a web site's sitemap lists. */
export async function openSite(given: string, options: SourceOptions): Promise<BookSource> {
  const address = siteAddress(given, options.baseUrl);
  const settings = siteSettings(options.site);
  const client = new SiteClient(settings, options.signal);
  try {
    return await readSite(address, client, settings.maxPages, options.note);
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function readSite(
  address: SiteAddress,
  client: SiteClient,
  maxPages: number,
  note: (text: string) => void,
): Promise<BookSource> {
  const { base } = address;
  const robots = await fetchRobotRules(client, base);
  client.pace.delayMs = robots.delayMs;
  const isEnough = (urls: readonly URL[]) =>
    urls.filter((url) => outsideReason(url, base) === undefined).length > maxPages;
  const listed = await findSitemapPages(address, robots, { client, note, isEnough });
  const { urls, leftOut } = pagesOfBook(listed.urls, base, robots);
  if (urls.length === 0) throw new UnusableSource(noPages(base, leftOut));
  const taken = urls.slice(0, maxPages);
  if (taken.length < urls.length) note(`Only the first ${maxPages} pages of ${base.href} are ingested.`);
  const baseUrl = normalBaseUrl(base.href);
  return {
    description: `${taken.length === 1 ? '1 page' : `${taken.length} pages`} of the site ${baseUrl}`,
    baseUrl,
    layout: 'plain',
    // Pages of an unreadable sitemap are not gone.
    whole: listed.complete && taken.length === urls.length,
    pages: taken.map((url) => sitePage(url, { client, base, baseUrl, robots })),
    leftOut,
    close: () => client.close(),
  };
}

function noPages(base: URL, leftOut: readonly LeftOut[]): string {
  const forbidden = leftOut.some(({ reason }) => reason === 'disallowed by robots.txt');
  if (forbidden) return `The robots.txt of ${base.host} disallows the pages below ${base.href}.`;
  return `The sitemap lists no HTML pages below ${base.href}.`;
}
