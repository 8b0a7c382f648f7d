import { describe, expect, test } from 'vitest';
import { localSite, redirect, sitemap, type Route } from '../../../test/local-site.js';
import { openForTest, pathsOf } from '../../../test/open-for-test.js';
import { UnusableSource } from '../source-errors.js';

const status =
  (code: number): Route =>
  (_request, response) =>
    void response.writeHead(code).end();

describe('a site is unusable', () => {
  test.each<[string, Record<string, Route>, RegExp]>([
    ['without sitemap', {}, /No sitemap lists pages below .*give its address instead of the site's/],
    [
      'whose robots.txt fails',
      { '/robots.txt': status(500) },
      /robots\.txt answers HTTP 500, so that nothing may/,
    ],
    ['whose robots.txt stays busy', { '/robots.txt': status(429) }, /robots\.txt answers HTTP 429/],
    [
      'that has moved',
      { '/robots.txt': redirect('https://www.other.example/robots.txt', 301) },
      /Redirects to https:\/\/www\.other\.example\/robots\.txt \(other host\)\. Give the address/,
    ],
  ])('%s', async (_what, routes, message) => {
    const { origin } = await localSite(() => routes);
    const opening = openForTest(origin);
    await expect(opening).rejects.toThrow(UnusableSource);
    await expect(opening).rejects.toThrow(message);
  });

  test('without sitemap after each place was asked once', async () => {
    const { origin, requested } = await localSite(() => ({}));
    await expect(openForTest(origin)).rejects.toThrow(UnusableSource);
    expect(requested).toEqual(['/robots.txt', '/sitemap.xml']);
  });

  test('that lets no robot in', async () => {
    const { origin } = await localSite((url) => ({
      '/robots.txt': 'User-agent: *\nDisallow: /',
      '/sitemap.xml': sitemap(`${url}/a`),
    }));
    await expect(openForTest(origin)).rejects.toThrow(/robots\.txt of .* does not let Quire read/);
  });

  test('that is away', async () => {
    const { origin } = await localSite(() => ({ '/robots.txt': (request) => void request.socket.destroy() }));
    await expect(openForTest(origin)).rejects.toThrow(/robots\.txt: Cannot be reached: \w+\. Try it later\./);
  });

  test.each([
    ['no XML', 'Not found', 200],
    ['missing', '', 404],
  ])('whose given sitemap is %s', async (_what, text, code) => {
    const { origin } = await localSite(() => ({
      '/sitemap.xml': (_request, response) => void response.writeHead(code).end(text),
    }));
    const message = `The sitemap ${origin}/sitemap.xml cannot be used.`;
    await expect(openForTest(`${origin}/sitemap.xml`)).rejects.toThrow(new UnusableSource(message));
  });

  test.each([0, 9, 1.5])('with %d requests at once', async (concurrency) => {
    const opening = openForTest('https://h.example', { site: { concurrency } });
    await expect(opening).rejects.toThrow('A site is read with 1 to 8 requests at once.');
  });

  test.each(['ftp://h.example/', 'file:///etc/passwd'])('at %s', async (address) => {
    await expect(openForTest(address)).rejects.toThrow(/must begin with http/);
  });
});

describe('a site on a private network', () => {
  test.each(['127.0.0.1', 'localhost', 'book.example'])('is not even asked at %s', async (host) => {
    const { origin, sockets, requested } = await localSite(() => ({}));
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const opening = openForTest(origin.replace('127.0.0.1', host), {
      site: { allowPrivate: false, resolve },
    });
    await expect(opening).rejects.toThrow(
      /private address( 127\.0\.0\.1)?\. Allow private addresses if it is meant\./,
    );
    expect([...requested, ...sockets]).toEqual([]);
  });

  test('is read if that is meant', async () => {
    const { origin } = await localSite((url) => ({
      '/sitemap.xml': sitemap(url.replace('127.0.0.1', 'book.example')),
    }));
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const source = await openForTest(origin.replace('127.0.0.1', 'book.example'), { site: { resolve } });
    expect(pathsOf(source)).toEqual(['index']);
  });
});
