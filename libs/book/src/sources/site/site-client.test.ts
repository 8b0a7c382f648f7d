import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { localSite, sitemap, type LocalSite } from '../../../test/local-site.js';
import { openForTest, readPage, type OpenedForTest } from '../../../test/open-for-test.js';
import { html, openPages, readRoute, respond } from '../../../test/site-pages.js';

it('pages are requested with the delay that robots.txt asks for', async () => {
  const site = await localSite((url) => ({
    '/robots.txt': 'User-agent: *\nCrawl-delay: 10',
    '/sitemap.xml': sitemap(`${url}/page`),
    '/page': 'P',
  }));
  const source = await openForTest(site.origin);
  const user = new AbortController();
  const reading = readPage(source, 'page', user.signal);
  await Promise.race([reading, sleep(300)]);
  user.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
  expect(site.requested).not.toContain('/page');
});

/** Responds with these in turn, then with a page. */
const inTurn = (...first: RequestListener[]): RequestListener => {
  return (request, response) => {
    const next = first.shift();
    if (next) next(request, response);
    else html(response).end('at last');
  };
};
const busy = (status: number) => respond({ 'retry-after': '0' }, '', status);
const cut: RequestListener = (request) => void request.socket.destroy();
const cutInBody: RequestListener = (request, response) => {
  html(response).write('<p>', () => request.socket.destroy());
};

it.each<[string, RequestListener[]]>([
  ['503 without Retry-After', [respond({}, '', 503)]],
  ['a cut connection', [cut, cutInBody]],
])('a request is retried after %s', async (_what, first) => {
  expect((await readRoute(inTurn(...first))).text).toBe('at last');
});

it.each([429, 503])('a request is retried after the Retry-After of a %d', async (status) => {
  const reading = readRoute(inTurn(busy(status), busy(status)), { site: { backoffMs: 1e9 } });
  expect((await reading).text).toBe('at last');
});

it.each<[string, RequestListener, string | RegExp]>([
  ['429', busy(429), /^HTTP 429$/],
  ['a cut connection', cut, /^Cannot be reached: UND_ERR_SOCKET$/],
])('a request is made three times before %s is an error', async (_what, answer, message) => {
  const { site, source } = await openPages({ '/page': answer });
  await expect(readPage(source, 'page')).rejects.toThrow(message);
  expect(site.requested.filter((path) => path === '/page')).toHaveLength(3);
});

it('a request for a missing page is not retried', async () => {
  const { site, source } = await openPages({ '/page': respond({}, '', 404) });
  await expect(readPage(source, 'page')).rejects.toThrow('HTTP 404');
  expect(site.requested.filter((path) => path === '/page')).toHaveLength(1);
});

const reason = new Error('enough');
const hanging = () => openPages({ '/a': () => {}, '/b': () => {}, '/c': () => {} });
const readAll = (source: OpenedForTest, signal?: AbortSignal) =>
  Promise.allSettled(['a', 'b', 'c'].map((path) => readPage(source, path, signal)));
const underWay = async (site: LocalSite) => {
  await expect.poll(() => site.requested.filter((path) => /^\/[abc]$/.test(path))).toHaveLength(2);
};

it('the signal of one read ends it at once, with its connection', async () => {
  const { site, source } = await hanging();
  const user = new AbortController();
  const reading = readAll(source, user.signal);
  await underWay(site);
  user.abort(reason);
  expect(await reading).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason })));
  await expect.poll(() => site.sockets.size).toBe(0);
});

it('the signal of the source ends every read and leaves no connection', async () => {
  const user = new AbortController();
  const { site, source } = await openPages(
    { '/a': () => {}, '/b': () => {}, '/c': () => {} },
    { signal: user.signal },
  );
  const reading = readAll(source);
  await underWay(site);
  user.abort(reason);
  expect(await reading).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason })));
  await expect.poll(() => site.sockets.size).toBe(0);
  await expect(readPage(source, 'a')).rejects.toBe(reason);
});

it('closing the source ends every read, may be repeated, and closes idle connections', async () => {
  const { site, source } = await openPages({
    '/a': () => {},
    '/b': () => {},
    '/c': () => {},
    '/done': 'D',
  });
  await readPage(source, 'done');
  expect(site.sockets.size).toBeGreaterThan(0);
  const reading = readAll(source);
  await underWay(site);
  await source.close();
  await source.close();
  expect((await reading).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect.poll(() => site.sockets.size).toBe(0);
});

it('the signal leaves no connection while a site is opened', async () => {
  const user = new AbortController();
  const site = await localSite(() => ({ '/robots.txt': () => {} }));
  const opening = openForTest(site.origin, { signal: user.signal });
  await expect.poll(() => site.requested).toEqual(['/robots.txt']);
  user.abort(reason);
  await expect(opening).rejects.toBe(reason);
  await expect.poll(() => site.sockets.size).toBe(0);
});

it('a site that fails to open leaves no connection', async () => {
  const site = await localSite(() => ({}));
  await expect(openForTest(site.origin)).rejects.toThrow(/No sitemap/);
  await expect.poll(() => site.sockets.size).toBe(0);
});
