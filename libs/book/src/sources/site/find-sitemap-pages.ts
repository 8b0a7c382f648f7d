import { UnusableSource } from '../source-errors.js';
import { collectSitemaps, type Collecting, type SitemapPages } from './collect-sitemaps.js';
import type { RobotRules } from './robot-rules.js';
import { isSameHost, outsideReason, type SiteAddress } from './site-address.js';

/** The pages of the given sitemap or, without one, of the first usual sitemap with pages of this book. */
export async function findSitemapPages(
  { base, sitemap }: SiteAddress,
  robots: RobotRules,
  collecting: Collecting,
): Promise<SitemapPages> {
  if (sitemap !== undefined) {
    const found = await collectSitemaps([sitemap], collecting);
    if (found.read > 0) return found;
    throw new UnusableSource(`The sitemap ${sitemap.href} cannot be used.`);
  }
  for (const { sitemaps, mayBeMissing } of usualSitemaps(base, robots)) {
    const found = await collectSitemaps(sitemaps, { ...collecting, mayBeMissing });
    // A host's main sitemap often lacks the documentation.
    if (found.urls.some((url) => outsideReason(url, base) === undefined)) return found;
  }
  throw new UnusableSource(
    `No sitemap lists pages below ${base.href}. If there is one, give its address instead of the site's.`,
  );
}

function usualSitemaps(base: URL, { sitemaps }: RobotRules): { sitemaps: URL[]; mayBeMissing: boolean }[] {
  const announced = sitemaps.filter((url) => isSameHost(url, base));
  const guesses = new Set([
    `${base.href.replace(/\/$/, '')}/sitemap.xml`,
    new URL('/sitemap.xml', base).href,
  ]);
  return [
    { sitemaps: announced, mayBeMissing: false },
    ...[...guesses].map((guess) => ({ sitemaps: [new URL(guess)], mayBeMissing: true })),
  ];
}
