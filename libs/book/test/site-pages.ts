import type { RequestListener, ServerResponse } from 'node:http';
import type { FoundPage, SourceOptions } from '../src/sources/index.js';
import { localSite, sitemap, type LocalSite, type Route } from './local-site.js';
import { openForTest, readPage, type OpenedForTest } from './open-for-test.js';

export interface OpenedSite {
  site: LocalSite;
  source: OpenedForTest;
}

/** A site whose pages are these routes. */
export async function openPages(
  routes: Record<string, Route>,
  options: Partial<SourceOptions> = {},
): Promise<OpenedSite> {
  const site = await localSite((url) => ({
    ...routes,
    '/sitemap.xml': sitemap(...Object.keys(routes).map((path) => url + path)),
  }));
  return { site, source: await openForTest(site.origin, options) };
}

/** The result of reading `/page`. */
export async function readRoute(
  page: Route,
  options: Partial<SourceOptions> = {},
): ReturnType<FoundPage['read']> {
  const { source } = await openPages({ '/page': page }, options);
  return readPage(source, 'page');
}

export const respond =
  (headers: Record<string, string>, body: string | Buffer = '', status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

export const html = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' });
