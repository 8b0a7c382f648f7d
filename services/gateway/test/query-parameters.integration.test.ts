import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routeGroups } from '../src/routes.js';
import { openApiDocument } from '../src/openapi/openapi-document.js';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';

const FILE_OF_DOCS = 'start.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const operations = Object.entries(openApiDocument(routeGroups, '1.2.3').paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
);
const addressOf = (path: string) =>
  path.replace('{file}', FILE_OF_DOCS).replaceAll(/\{\w+\}/g, () => randomUUID());
const bodyFor = (method: string) => (method === 'POST' ? { message: 'Hi' } : undefined);

it.each(operations)(
  '$method $path refuses an unknown query parameter and names it',
  async ({ method, path }) => {
    const refused = await gateway.send(method, `${addressOf(path)}?nonsense=1`, bodyFor(method));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error_code: 'INVALID_REQUEST',
      message: 'nonsense is not known',
      details: [{ path: 'nonsense', problem: 'is not known' }],
    });
  },
);

it.each(operations.filter(({ method }) => method === 'GET'))(
  'HEAD $path refuses an unknown query parameter',
  async ({ path }) => {
    const { status } = await gateway.send('HEAD', `${addressOf(path)}?nonsense=1`);
    expect(status).toBe(400);
  },
);

it('an address in upper case or with a trailing slash refuses unknown query parameters', async () => {
  for (const path of ['/Health?nonsense=1', '/health/?nonsense=1', '/DOCS/start.js?nonsense=1']) {
    expect([path, (await gateway.get(path)).status]).toEqual([path, 400]);
  }
});

it('an unknown address is a 404 and a wrong method a 405, whatever the query', async () => {
  expect((await gateway.get('/nowhere?nonsense=1')).status).toBe(404);
  expect((await gateway.send('PUT', '/health?nonsense=1')).status).toBe(405);
});
