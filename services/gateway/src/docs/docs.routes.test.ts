import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@quire/shared/logging';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../http/app.js';
import { apiGroups } from '../openapi/api-groups.js';
import { openApiDocument } from '../openapi/openapi-document.js';
import { pageFiles } from './docs-page.js';
import { docsApi } from './docs.openapi.js';
import { docsRoutes } from './docs.routes.js';

async function serveDocs(write?: (line: string) => void): Promise<string> {
  const logger = createLogger('test', 'warn', { write: write ?? (() => {}) });
  const open = [docsRoutes(openApiDocument(apiGroups, '1.2.3'))];
  const server = createApp(logger, { open, authenticate: undefined, guarded: [] }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
}

it('serves its files whole, with the types that the document gives, again and again, without a complaint', async () => {
  const described = Object.keys(docsApi.paths['/docs/{file}']?.get?.answers[200]?.content ?? {});
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
  'a file is served whole to a client that asks for %s',
  async (range) => {
    const response = await fetch(`${await serveDocs()}/swagger-ui.css`, { headers: { range } });
    expect([response.status, response.headers.get('accept-ranges')]).toEqual([200, null]);
    expect((await response.text()).length).toBeGreaterThan(100);
  },
);
