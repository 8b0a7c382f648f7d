import { UnreadablePage } from '../source-errors.js';
import { MAX_SITEMAP_BYTES, readSitemap, type Sitemap } from './read-sitemap.js';
import { stayOnHost } from './redirect-rules.js';
import { isSameHost } from './site-address.js';
import type { SiteClient } from './site-client.js';

const MAX_DEPTH = 3;
const MAX_SITEMAPS = 200;

export interface SitemapPages {
  urls: URL[];
  /** How many sitemaps were readable. */
  read: number;
  /** False when a sitemap was unreadable or skipped. */
  complete: boolean;
}

export interface Collecting {
  client: SiteClient;
  note: (text: string) => void;
  /** Once true, further sitemaps are not read. */
  isEnough: (urls: readonly URL[]) => boolean;
  /** Whether these are guesses, which may not exist. */
  mayBeMissing?: boolean;
}

class MissingSitemap extends UnreadablePage {}

/** The pages of these sitemaps and of the sitemaps that they list. */
export async function collectSitemaps(
  roots: readonly URL[],
  { client, note, isEnough, mayBeMissing = false }: Collecting,
): Promise<SitemapPages> {
  const found: SitemapPages = { urls: [], read: 0, complete: true };
  const queue = roots.map((url) => ({ url, depth: 0 }));
  const seen = new Set(roots.map(({ href }) => href));
  for (const [tried, { url, depth }] of queue.entries()) {
    if (tried >= MAX_SITEMAPS) note(`Only the first ${MAX_SITEMAPS} sitemaps are read.`);
    if (tried >= MAX_SITEMAPS || isEnough(found.urls)) return { ...found, complete: false };
    const sitemap = await fetchSitemap(client, url).catch((error: unknown) => {
      if (!(error instanceof UnreadablePage)) throw error;
      if (mayBeMissing && depth === 0 && error instanceof MissingSitemap) return;
      note(`The sitemap ${url.href} cannot be used: ${error.message}.`);
      found.complete = false;
    });
    if (sitemap === undefined) continue;
    found.read += 1;
    for (const page of links(sitemap.pages, url)) found.urls.push(page);
    for (const next of links(sitemap.sitemaps, url)) {
      if (seen.has(next.href) || !isSameHost(next, url)) continue;
      seen.add(next.href);
      if (depth < MAX_DEPTH) queue.push({ url: next, depth: depth + 1 });
      else found.complete = false;
    }
  }
  return found;
}

async function fetchSitemap(client: SiteClient, url: URL): Promise<Sitemap> {
  const rules = { maxBytes: MAX_SITEMAP_BYTES, checkRedirect: stayOnHost(url) };
  const { status, bytes } = await client.get(url, rules);
  if (status === 404) throw new MissingSitemap('HTTP 404');
  if (status !== 200) throw new UnreadablePage(`HTTP ${status}`);
  return readSitemap(bytes).catch((cause: unknown) => {
    throw new UnreadablePage('it is not a valid sitemap', { cause });
  });
}

function links(texts: readonly string[], from: URL): URL[] {
  return texts.flatMap((text) => (URL.canParse(text, from.href) ? [new URL(text, from)] : []));
}
