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

it('serves its files whole, with the types that the document gives, again and again, without a complaint', async () => {
  const described = Object.keys(docsApi.paths['/docs/{file}']?.get?.answers[200]?.content ?? {});
  const served = new Set<string>();
  const complaints: string[] = [];
  const logger = createLogger('test', 'warn', { write: (line) => complaints.push(line) });
  const open = [docsRoutes(openApiDocument(apiGroups, '1.2.3'))];
  const server = createApp(logger, { open, authenticate: undefined, guarded: [] }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
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
