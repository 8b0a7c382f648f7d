import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type Route = string | RequestListener;

export interface LocalSite {
  origin: string;
  /** The requested paths, in order. */
  requested: string[];
  userAgents: Set<string>;
  sockets: Set<Socket>;
}

/** A web site on this machine for one test; texts are HTML, or XML by their path; other paths are 404. */
export async function localSite(routes: (origin: string) => Record<string, Route>): Promise<LocalSite> {
  const server = createServer((request, response) => {
    const { url = '' } = request;
    site.requested.push(url);
    site.userAgents.add(request.headers['user-agent'] ?? '');
    const route = table[url];
    if (typeof route === 'function') return route(request, response);
    const type = url.endsWith('.xml') ? 'application/xml' : url.endsWith('.txt') ? 'text/plain' : 'text/html';
    response.writeHead(route === undefined ? 404 : 200, { 'content-type': type }).end(route);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: LocalSite = { origin, requested: [], userAgents: new Set(), sockets: new Set() };
  const table = routes(origin);
  server.on('connection', (socket) => {
    site.sockets.add(socket);
    socket.on('close', () => site.sockets.delete(socket));
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return site;
}

export function sitemap(...urls: string[]): string {
  return `<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.map((url) => `<url><loc>${url}</loc></url>`).join('\n')}
</urlset>`;
}

export function sitemapIndex(...urls: string[]): string {
  return `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
}

export const redirect =
  (location: string, status = 302): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { location }).end();
