import { expect, it } from 'vitest';
import { localSite, redirect, sitemap, type Route } from '../../../test/local-site.js';
import { openForTest, pathsOf } from '../../../test/open-for-test.js';
import { UnusableSource } from '../source-errors.js';

const status =
  (code: number): Route =>
  (_request, response) =>
    void response.writeHead(code).end();

it.each<[string, Record<string, Route>, RegExp]>([
  ['without sitemap', {}, /No sitemap lists pages below .*give its address instead of the site's/],
  [
    'whose robots.txt fails',
    { '/robots.txt': status(500) },
    /robots\.txt responds with HTTP 500: nothing may/,
  ],
  ['whose robots.txt stays busy', { '/robots.txt': status(429) }, /robots\.txt responds with HTTP 429/],
  [
    'that has moved',
    { '/robots.txt': redirect('https://www.other.example/robots.txt', 301) },
    /Redirects to https:\/\/www\.other\.example\/robots\.txt \(other host\)\. Give the address/,
  ],
])('a site is refused: %s', async (_what, routes, message) => {
  const { origin } = await localSite(() => routes);
  const opening = openForTest(origin);
  await expect(opening).rejects.toThrow(UnusableSource);
  await expect(opening).rejects.toThrow(message);
});

it('a site without sitemap is refused after each usual address was tried once', async () => {
  const { origin, requested } = await localSite(() => ({}));
  await expect(openForTest(origin)).rejects.toThrow(UnusableSource);
  expect(requested).toEqual(['/robots.txt', '/sitemap.xml']);
});

it('a site whose robots.txt disallows all pages is refused', async () => {
  const { origin } = await localSite((url) => ({
    '/robots.txt': 'User-agent: *\nDisallow: /',
    '/sitemap.xml': sitemap(`${url}/a`),
  }));
  await expect(openForTest(origin)).rejects.toThrow(/robots\.txt of .* disallows the pages below/);
});

it('a site that does not respond is refused', async () => {
  const { origin } = await localSite(() => ({ '/robots.txt': (request) => void request.socket.destroy() }));
  await expect(openForTest(origin)).rejects.toThrow(/robots\.txt: Cannot be reached: \w+\. Try it later\./);
});

it.each([
  ['no XML', 'Not found', 200],
  ['missing', '', 404],
])('a site is refused when its given sitemap is %s', async (_what, text, code) => {
  const { origin } = await localSite(() => ({
    '/sitemap.xml': (_request, response) => void response.writeHead(code).end(text),
  }));
  const message = `The sitemap ${origin}/sitemap.xml cannot be used.`;
  await expect(openForTest(`${origin}/sitemap.xml`)).rejects.toThrow(new UnusableSource(message));
});

it.each([0, 9, 1.5])('%d concurrent requests are refused', async (concurrency) => {
  const opening = openForTest('https://h.example', { site: { concurrency } });
  await expect(opening).rejects.toThrow('A site is read with 1 to 8 requests at once.');
});

it.each(['ftp://h.example/', 'file:///etc/passwd'])('a site at %s is refused', async (address) => {
  await expect(openForTest(address)).rejects.toThrow(/must start with http/);
});

it.each(['127.0.0.1', 'localhost', 'book.example'])(
  'no request is sent to a site on a private network at %s',
  async (host) => {
    const { origin, sockets, requested } = await localSite(() => ({}));
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const opening = openForTest(origin.replace('127.0.0.1', host), {
      site: { allowPrivate: false, resolve },
    });
    await expect(opening).rejects.toThrow(
      /private address( 127\.0\.0\.1)?\. Allow private addresses if this is intended\./,
    );
    expect([...requested, ...sockets]).toEqual([]);
  },
);

it('a site on a private network is read if private addresses are allowed', async () => {
  const { origin } = await localSite((url) => ({
    '/sitemap.xml': sitemap(url.replace('127.0.0.1', 'book.example')),
  }));
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const source = await openForTest(origin.replace('127.0.0.1', 'book.example'), { site: { resolve } });
  expect(pathsOf(source)).toEqual(['index']);
});
