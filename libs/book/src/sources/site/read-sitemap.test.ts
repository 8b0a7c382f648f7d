import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { sitemap, sitemapIndex } from '../../../test/local-site.js';
import { MAX_SITEMAP_BYTES, readSitemap } from './read-sitemap.js';

const read = (xml: string) => readSitemap(Buffer.from(xml));

it('a sitemap lists pages', async () => {
  const pages = ['https://h.example/a', 'https://h.example/b'];
  expect(await read(sitemap(...pages))).toEqual({ pages, sitemaps: [] });
});

it('a sitemap may be an index of sitemaps', async () => {
  const sitemaps = ['https://h.example/1.xml'];
  expect(await read(sitemapIndex(...sitemaps))).toEqual({ pages: [], sitemaps });
});

it('a sitemap may be compressed', async () => {
  expect(await readSitemap(gzipSync(sitemap('https://h.example/a')))).toMatchObject({
    pages: ['https://h.example/a'],
  });
});

it('a sitemap may have a prefix, CDATA, entities, spaces and other elements', async () => {
  const xml = `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9">
      <s:url><s:loc> https://h.example/a?b=1&amp;c=2 </s:loc><s:lastmod>2024</s:lastmod></s:url>
      <s:url><s:loc><![CDATA[https://h.example/d]]></s:loc></s:url>
      <s:url><s:lastmod>2024</s:lastmod></s:url>
    </s:urlset>`;
  expect((await read(xml)).pages).toEqual(['https://h.example/a?b=1&c=2', 'https://h.example/d']);
});

it('a sitemap may list 50,000 pages with entities', async () => {
  const pages = Array.from({ length: 50_000 }, (_, i) => `https://h.example/?a=1&amp;b=${i}`);
  const read50k = await read(sitemap(...pages));
  expect(read50k.pages).toHaveLength(50_000);
  expect(read50k.pages.at(-1)).toBe('https://h.example/?a=1&b=49999');
});

it.each(['<urlset></urlset>', '<urlset/>', '<sitemapindex/>'])('a sitemap may be empty: %s', async (xml) => {
  expect(await read(xml)).toEqual({ pages: [], sitemaps: [] });
});

it.each([
  ['a file cut between two pages', sitemap('https://h.example/a').replace('</urlset>', '')],
  ['a cut file', sitemap('https://h.example/a').slice(0, -20)],
  ['a web page', '<!doctype html><html><body>Not found</body></html>'],
  ['a feed', '<rss><channel/></rss>'],
  ['text', 'https://h.example/a'],
  ['nothing', ''],
  [
    'a billion laughs',
    `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(4000)}">]><urlset><url><loc>${'&a;'.repeat(5000)}</loc></url></urlset>`,
  ],
])('a sitemap is not %s', async (_what, xml) => {
  await expect(read(xml)).rejects.toThrow();
});

it('a sitemap that decompresses to more than 50 MB is refused', async () => {
  const bomb = gzipSync(Buffer.alloc(MAX_SITEMAP_BYTES + 1, ' '));
  await expect(readSitemap(bomb)).rejects.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
});
