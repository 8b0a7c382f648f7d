import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@quire/shared/logging';
import { expect, it, onTestFinished } from 'vitest';
import { Draining } from '../draining.js';
import { createApp } from '../http/app.js';
import { mountRoutes } from '../http/mount-routes.js';
import { pageFiles } from './docs-page.js';
import { docsGroup } from './docs.routes.js';

const limits = {
  permitFor(): never {
    throw new Error('The docs need no permit');
  },
};

async function serveDocs(write?: (line: string) => void): Promise<string> {
  const logger = createLogger('test', 'warn', { write: write ?? (() => {}) });
  const routers = mountRoutes(docsGroup.routes, {
    openApiJson: '{}',
    draining: new Draining(),
    limits,
  });
  const app = createApp(logger, { ...routers, authenticate: undefined });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
}

it('the files of the docs page are served whole, each time, with the documented types and without a warning', async () => {
  const described = Object.keys(
    docsGroup.routes.find(({ path }) => path === '/docs/{file}')?.responses[200]?.content ?? {},
  );
  const served = new Set<string>();
  const complaints: string[] = [];
  const url = await serveDocs((line) => complaints.push(line));
  for (const file of [...Object.keys(pageFiles), 'start.js', ...Object.keys(pageFiles)]) {
    const response = await fetch(`${url}/${file}`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    expect((await response.text()).length).toBeGreaterThan(100);
    served.add(response.headers.get('content-type')?.replace(/;.*/, '') ?? '');
  }
  expect([...served].sort()).toEqual(described.sort());
  const missing = await fetch(`${url}/missing`);
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(complaints).toEqual([]);
});

it.each(['bytes=0-9', 'bytes=99999999-'])(
  'a file of the docs page is served whole to a client that asks for the range %s',
  async (range) => {
    const response = await fetch(`${await serveDocs()}/swagger-ui.css`, { headers: { range } });
    expect([response.status, response.headers.get('accept-ranges')]).toEqual([200, null]);
    expect((await response.text()).length).toBeGreaterThan(100);
  },
);
