import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';

/** The protocol's limit for a sitemap (sitemaps.org). */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;

export interface Sitemap {
  pages: string[];
  /** The sitemaps that a sitemap index lists. */
  sitemaps: string[];
}

const entries = (name: string) =>
  z
    .object({ [name]: z.array(z.object({ loc: z.string() }).catch({ loc: '' })).default([]) })
    // An element without children is text.
    .or(z.literal('').transform(() => ({ [name]: [] })))
    .transform((list) => (list[name] ?? []).map(({ loc }) => loc).filter((loc) => loc !== ''));

const sitemapSchema = z.union([
  z.object({ urlset: entries('url') }).transform(({ urlset }): Sitemap => ({ pages: urlset, sitemaps: [] })),
  z
    .object({ sitemapindex: entries('sitemap') })
    .transform(({ sitemapindex }): Sitemap => ({ pages: [], sitemaps: sitemapindex })),
]);

const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (name) => name === 'url' || name === 'sitemap',
});

/** Throws when the bytes are not a sitemap. */
export async function readSitemap(bytes: Uint8Array): Promise<Sitemap> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const xml = isGzip ? await promisify(gunzip)(bytes, { maxOutputLength: MAX_SITEMAP_BYTES }) : bytes;
  return sitemapSchema.parse(parser.parse(new TextDecoder().decode(xml), true));
}
