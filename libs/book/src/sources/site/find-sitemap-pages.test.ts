import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { localSite, sitemap, sitemapIndex } from '../../../test/local-site.js';
import { openForTest, pathsOf } from '../../../test/open-for-test.js';

it('the pages of a site are those of the sitemap below its address', async () => {
  const { origin, userAgents } = await localSite((url) => ({
    '/docs/sitemap.xml': sitemap(
      `${url}/docs/b`,
      `${url}/docs/`,
      `${url}/blog/x`,
      'https://other.example/docs/a',
    ),
  }));
  const source = await openForTest(`${origin}/docs/`);
  expect(pathsOf(source)).toEqual(['docs/', 'docs/b']);
  expect(source).toMatchObject({
    description: `2 pages of the site ${origin}/docs`,
    baseUrl: `${origin}/docs`,
    layout: 'plain',
    whole: true,
    notes: [],
    leftOut: [
      { path: 'blog/x', reason: 'outside the book' },
      { path: 'https://other.example/docs/a', reason: 'other host' },
    ],
  });
  expect([...userAgents]).toEqual([
    expect.stringMatching(/^Quire\/\d+\.\d+\.\d+ \(\+documentation indexer\)$/),
  ]);
});

it('the sitemaps in robots.txt win over others', async () => {
  const { origin, requested } = await localSite((url) => ({
    '/robots.txt': `Sitemap: ${url}/one.xml\nSitemap: https://other.example/x.xml\nSitemap: /two.xml`,
    '/one.xml': sitemap(`${url}/a`),
    '/two.xml': sitemap(`${url}/b`),
    '/sitemap.xml': sitemap(`${url}/c`),
  }));
  const source = await openForTest(origin);
  expect(pathsOf(source)).toEqual(['a', 'b']);
  expect(source).toMatchObject({ whole: true, notes: [] });
  expect(requested).toEqual(['/robots.txt', '/one.xml', '/two.xml']);
});

it('the next usual sitemap is read when one lists no pages of the book', async () => {
  const { origin } = await localSite((url) => ({
    '/robots.txt': `Sitemap: ${url}/marketing.xml`,
    '/marketing.xml': sitemap(`${url}/pricing`),
    '/docs/sitemap.xml': '<html>Not found</html>',
    '/sitemap.xml': sitemap(`${url}/docs/a`),
  }));
  const source = await openForTest(`${origin}/docs`);
  expect(pathsOf(source)).toEqual(['docs/a']);
  expect(source.notes).toEqual([
    `The sitemap ${origin}/docs/sitemap.xml cannot be used: it is not a valid sitemap.`,
  ]);
});

it('usual sitemaps that do not exist are not reported', async () => {
  const { origin, requested } = await localSite((url) => ({ '/sitemap.xml': sitemap(`${url}/docs/a`) }));
  const source = await openForTest(`${origin}/docs`);
  expect(source).toMatchObject({ whole: true, notes: [] });
  expect(requested).toEqual(['/robots.txt', '/docs/sitemap.xml', '/sitemap.xml']);
});

it('the pages of a given sitemap are those below its folder, or below the base URL', async () => {
  const { origin, requested } = await localSite((url) => ({
    '/docs/map.xml': sitemap(`${url}/docs/v1/a`, `${url}/docs/v2/a`, `${url}/b`),
  }));
  const source = await openForTest(`${origin}/docs/map.xml`);
  expect(pathsOf(source)).toEqual(['docs/v1/a', 'docs/v2/a']);
  expect(source.baseUrl).toBe(`${origin}/docs`);
  expect(requested).toEqual(['/robots.txt', '/docs/map.xml']);
  const second = await openForTest(`${origin}/docs/map.xml`, { baseUrl: `${origin}/docs/v2/` });
  expect(pathsOf(second)).toEqual(['docs/v2/a']);
  expect(second.baseUrl).toBe(`${origin}/docs/v2`);
});

it('an index of compressed sitemaps is followed, and each sitemap is read once', async () => {
  const { origin, requested } = await localSite((url) => ({
    '/sitemap.xml': sitemapIndex(
      `${url}/a.xml.gz`,
      `${url}/sitemap.xml`,
      'https://other.example/x.xml',
      '/b.xml',
    ),
    '/a.xml.gz': (_request, response) => void response.end(gzipSync(sitemap(`${url}/a`))),
    '/b.xml': sitemapIndex(`${url}/c.xml`),
    '/c.xml': sitemap(`${url}/c`),
  }));
  const source = await openForTest(origin);
  expect(pathsOf(source)).toEqual(['a', 'c']);
  expect(source).toMatchObject({ whole: true, notes: [] });
  expect(requested.slice(1)).toEqual(['/sitemap.xml', '/a.xml.gz', '/b.xml', '/c.xml']);
});

it('sitemap indexes are followed three levels deep, and no deeper', async () => {
  const { origin, requested } = await localSite((url) => ({
    '/sitemap.xml': sitemapIndex(`${url}/1.xml`),
    '/1.xml': sitemapIndex(`${url}/2.xml`, `${url}/pages.xml`),
    '/2.xml': sitemapIndex(`${url}/3.xml`),
    '/3.xml': sitemapIndex(`${url}/4.xml`),
    '/pages.xml': sitemap(`${url}/a`),
  }));
  expect((await openForTest(origin)).whole).toBe(false);
  expect(requested).toContain('/3.xml');
  expect(requested).not.toContain('/4.xml');
});

it('no more than 200 sitemaps are read, readable or not', async () => {
  const { origin, requested } = await localSite((url) => ({
    '/sitemap.xml': sitemapIndex(`${url}/a.xml`, ...Array.from({ length: 300 }, (_, i) => `${url}/${i}.xml`)),
    '/a.xml': sitemap(`${url}/a`),
  }));
  const source = await openForTest(origin);
  expect(source.notes.at(-1)).toBe('Only the first 200 sitemaps are read.');
  expect(source.whole).toBe(false);
  expect(requested).toHaveLength(201);
});

it('a site whose sitemap index is partly unreadable is not a whole book', async () => {
  const { origin } = await localSite((url) => ({
    '/sitemap.xml': sitemapIndex(`${url}/gone.xml`, `${url}/a.xml`),
    '/a.xml': sitemap(`${url}/a`),
  }));
  const source = await openForTest(origin);
  expect(pathsOf(source)).toEqual(['a']);
  expect(source.whole).toBe(false);
  expect(source.notes).toEqual([`The sitemap ${origin}/gone.xml cannot be used: HTTP 404.`]);
});

it('the pages of a site are cut at the limit with a warning, and further sitemaps are not read', async () => {
  const { origin, requested } = await localSite((url) => ({
    '/sitemap.xml': sitemapIndex(`${url}/1.xml`, `${url}/2.xml`),
    '/1.xml': sitemap(`${url}/c`, `${url}/b`, `${url}/a`),
    '/2.xml': sitemap(`${url}/d`),
  }));
  const source = await openForTest(origin, { site: { maxPages: 2 } });
  expect(pathsOf(source)).toEqual(['a', 'b']);
  expect(source).toMatchObject({
    whole: false,
    notes: [`Only the first 2 pages of ${origin}/ are ingested.`],
  });
  expect(requested).not.toContain('/2.xml');
});

it('a sitemap with more pages than the limit is cut', async () => {
  const { origin } = await localSite((url) => ({ '/sitemap.xml': sitemap(`${url}/a`, `${url}/b`) }));
  expect(await openForTest(origin, { site: { maxPages: 1 } })).toMatchObject({ whole: false });
  expect(await openForTest(origin, { site: { maxPages: 2 } })).toMatchObject({ whole: true, notes: [] });
});

it('the pages of a site that robots.txt disallows are left out', async () => {
  const { origin } = await localSite((url) => ({
    '/robots.txt': 'User-agent: Quire\nDisallow: /private',
    '/sitemap.xml': sitemap(`${url}/a`, `${url}/private/b`, `${url}/c.pdf`),
  }));
  const source = await openForTest(origin);
  expect(pathsOf(source)).toEqual(['a']);
  expect(source.leftOut).toEqual([
    { path: 'private/b', reason: 'disallowed by robots.txt' },
    { path: 'c.pdf', reason: 'not HTML' },
  ]);
});
