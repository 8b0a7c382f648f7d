import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startQuire } from './start-quire.js';

/** A site with one page on this machine. */
async function privateSite() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const at = `http://${request.headers.host}`;
    if (request.url === '/sitemap.xml') {
      response.end(`<urlset><url><loc>${at}/nodes</loc></url></urlset>`);
    } else if (request.url === '/nodes') {
      const text = 'Nodes talk over topics, which is said here at some length. '.repeat(12);
      response.setHeader('content-type', 'text/html');
      response.end(`<html><body><main><h1>Nodes</h1><p>${text}</p></main></body></html>`);
    } else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { asked, port: (server.address() as AddressInfo).port };
}

const ingest = async (...args: string[]) => {
  const { exitCode, terminal } = startQuire({ args: ['ingest', ...args] });
  return { exitCode: await exitCode, output: terminal.output };
};

it.each(['127.0.0.1', 'localhost', '0x7f.1'])(
  'quire ingest sends no request to a site at %s without --allow-private',
  async (host) => {
    const { asked, port } = await privateSite();
    const url = `http://${host}:${port}/`;
    for (const options of [[], ['--dry-run']]) {
      const refused = await ingest(url, ...options);
      expect(refused).toMatchObject({ exitCode: 1, output: expect.stringContaining('private address') });
    }
    expect(asked).toEqual([]);
    const allowed = await ingest(url, '--dry-run', '--allow-private');
    expect(allowed).toMatchObject({ exitCode: 0, output: expect.stringContaining('/nodes') });
  },
);
