import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { localSite, redirect, sitemap, type Route } from '../../../test/local-site.js';
import { openForTest, readPage } from '../../../test/open-for-test.js';
import { html, openPages, readRoute, respond } from '../../../test/site-pages.js';
import { UnreadablePage } from '../source-errors.js';

it('a page of a site is fetched when it is read', async () => {
  const { site, source } = await openPages({ '/page?x=1': '<p>Page' });
  expect(site.requested).not.toContain('/page?x=1');
  expect(await readPage(source, 'page?x=1')).toEqual({
    path: 'page?x=1',
    format: 'html',
    layout: 'plain',
    base_url: site.origin,
    url: `${site.origin}/page?x=1`,
    text: '<p>Page',
  });
});

it('a page of a site has its address after redirects', async () => {
  const { site, source } = await openPages({
    '/old': redirect('/a/new'),
    '/a/new': redirect('newer#part'),
    '/a/newer': 'N',
  });
  const url = `${site.origin}/a/newer`;
  expect(await readPage(source, 'old')).toMatchObject({ path: 'old', url, text: 'N' });
});

it('a page of a site may be behind five redirects', async () => {
  const steps = Object.fromEntries([1, 2, 3, 4, 5].map((step) => [`/${step}`, redirect(`/${step + 1}`)]));
  const { source } = await openPages({ '/0': redirect('/1'), ...steps, '/6': 'far' });
  expect((await readPage(source, '1')).text).toBe('far');
  await expect(readPage(source, '0')).rejects.toThrow(new UnreadablePage('More than 5 redirects'));
});

it('a page of a site may be compressed and in any character set', async () => {
  const type = { 'content-type': 'text/html; charset=iso-8859-1', 'content-encoding': 'gzip' };
  expect((await readRoute(respond(type, gzipSync(Buffer.from('größer', 'latin1'))))).text).toBe('größer');
});

it('a page of a site may be XHTML', async () => {
  expect((await readRoute(respond({ 'content-type': 'application/xhtml+xml' }, 'X'))).text).toBe('X');
});

const TOO_MUCH = 5 * 1024 * 1024 + 1;
const type = { 'content-type': 'text/html' };

it.each<[string, Route, string]>([
  ['a server error', respond(type, '', 500), 'HTTP 500'],
  ['without content', respond(type, '', 204), 'HTTP 204'],
  ['a redirect to nowhere', respond(type, '', 302), 'HTTP 302'],
  ['a redirect loop', redirect('/page'), 'More than 5 redirects'],
  ['a redirect to a file', redirect('file:///etc/passwd'), 'Redirects to something that is no web address'],
  [
    'a redirect with password',
    redirect('http://me:pw@127.0.0.1/'),
    'Redirects to something that is no web address',
  ],
  ['too large', respond(type, Buffer.alloc(TOO_MUCH)), 'Larger than 5 MB'],
  [
    'too large when decompressed',
    respond({ ...type, 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(TOO_MUCH))),
    'Larger than 5 MB',
  ],
  [
    'an unknown character set',
    respond({ 'content-type': 'text/html; charset=klingon' }),
    'Unknown character set klingon',
  ],
])('an unreadable page is reported with its reason: %s', async (_what, route, message) => {
  await expect(readRoute(route)).rejects.toThrow(new UnreadablePage(message));
});

it.each([404, 410])('a page with HTTP %i is left out as gone', async (status) => {
  await expect(readRoute(respond(type, '', status))).rejects.toMatchObject({
    message: `HTTP ${status}`,
    leftOut: 'gone',
  });
});

it('a page of endless size is unreadable, and its connection is cut', async () => {
  const cut = vi.fn<() => void>();
  const route: RequestListener = (_request, response) => {
    html(response).on('close', cut);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(256 * 1024)));
    };
    response.on('drain', more);
    more();
  };
  await expect(readRoute(route)).rejects.toThrow('Larger than 5 MB');
  await expect.poll(() => cut).toHaveBeenCalled();
});

it.each<[string, RequestListener]>([
  ['no response', () => {}],
  ['a body that does not end', (_request, response) => void html(response).write('<p>')],
])('a page that is too slow is unreadable: %s', async (_what, route) => {
  const reading = readRoute(route, { site: { timeLimitMs: 200 } });
  await expect(reading).rejects.toThrow(new UnreadablePage('No response within 0.2 s'));
});

it.each<[string, string, Route]>([
  ['not HTML', 'Not HTML but application/pdf', respond({ 'content-type': 'application/pdf' }, '%PDF')],
  ['not HTML', 'Not HTML but of unknown type', respond({}, 'text')],
  [
    'other host',
    'Redirects to http://169.254.169.254/latest (other host)',
    redirect('http://169.254.169.254/latest'),
  ],
  ['other host', 'Redirects to http://127.0.0.1:1/ (other host)', redirect('http://127.0.0.1:1/')],
])('a page that is not part of the book is left out: %s: %s', async (leftOut, message, route) => {
  await expect(readRoute(route)).rejects.toMatchObject({ leftOut, message });
});

it.each([
  ['outside the book', '/login'],
  ['disallowed by robots.txt', '/docs/private'],
])('a page that redirects out of the book is left out: %s: redirected to %s', async (leftOut, to) => {
  const site = await localSite((url) => ({
    '/robots.txt': 'User-agent: *\nDisallow: /docs/private',
    '/docs/sitemap.xml': sitemap(`${url}/docs/page`),
    '/docs/page': redirect(to),
  }));
  const source = await openForTest(`${site.origin}/docs`);
  await expect(readPage(source, 'docs/page')).rejects.toMatchObject({ leftOut });
  expect(site.requested).not.toContain(to);
});
