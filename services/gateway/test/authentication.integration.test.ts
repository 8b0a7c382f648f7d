import { randomUUID } from 'node:crypto';
import { revokeApiKey } from '@quire/shared/database';
import { eventually, startTcpProxy } from '@quire/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createKey } from './api-keys-for-test.js';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';

let gateway: GatewayUnderTest;
let other: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway({ auth: true });
  other = await startGateway({
    auth: true,
    redisUrl: gateway.redisUrl,
    databaseUrl: gateway.databaseUrl,
  });
});
afterAll(async () => {
  await other.close();
  await gateway.close();
});

const threads = (headers: Record<string, string>, at = gateway) => at.get('/threads', headers);
const statusOf = async (headers: Record<string, string>, at = gateway) => (await threads(headers, at)).status;

it('a key is accepted in either header', async () => {
  const { key, header } = await createKey(gateway.db);
  expect(await statusOf(header)).toBe(200);
  expect(await statusOf({ 'x-api-key': key })).toBe(200);
});

it('a request without a key is a 401 that says how to send one', async () => {
  const refused = await threads({});
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="quire"');
  expect(await refused.json()).toMatchObject({
    error_code: 'UNAUTHORIZED',
    message: expect.stringContaining('Authorization: Bearer') as string,
    request_id: refused.headers.get('x-request-id'),
  });
});

it.each([
  ['of another form', () => 'sk-nonsense'],
  ['that does not exist', () => `qk_${'0'.repeat(12)}_${'x'.repeat(43)}`],
  ['with a known prefix and another end', (key: string) => key.slice(0, -3) + 'xyz'],
])('a key %s is refused', async (_, bent) => {
  const { key } = await createKey(gateway.db);
  const refused = await threads({ authorization: `Bearer ${bent(key)}` });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  expect(JSON.stringify(await refused.json())).not.toContain(key.slice(16));
});

it('an expired key is refused, also by a gateway that has it cached', async () => {
  const { header } = await createKey(gateway.db, { expiresAt: new Date(Date.now() + 1500) });
  expect(await statusOf(header)).toBe(200);
  await eventually(async () => expect(await statusOf(header)).toBe(401));
});

it('a key without the needed scope is refused with a 403 that names the missing scope and those it has', async () => {
  const { header } = await createKey(gateway.db, { scopes: ['admin'] });
  const refused = await gateway.post('/chat', { message: 'Hi' }, header);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    error_code: 'FORBIDDEN',
    message: 'This API key lacks the scope `chat` that this address needs; it has `admin`',
  });
});

it('a request without a key is refused before its body, path and method are looked at', async () => {
  expect((await gateway.post('/chat', 'not json')).status).toBe(401);
  expect((await gateway.get(`/chat/${randomUUID()}`)).status).toBe(401);
  expect((await gateway.get('/nowhere')).status).toBe(401);
  expect((await gateway.get('/chat')).status).toBe(401);
});

it('a revoked key is refused on every gateway within 10 s', async () => {
  const { header, prefix } = await createKey(gateway.db);
  for (const at of [gateway, other]) expect(await statusOf(header, at)).toBe(200);
  await revokeApiKey(gateway.db, prefix);
  await eventually(async () => {
    for (const at of [gateway, other]) expect(await statusOf(header, at)).toBe(401);
  });
});

it.each(['/health', '/health/live', '/health/ready'])('%s needs no key and shows no secret', async (path) => {
  const response = await gateway.get(path);
  expect(response.status).toBe(200);
  const said = await response.text();
  for (const address of [gateway.redisUrl, gateway.databaseUrl]) expect(said).not.toContain(address);
});

it('while Postgres is away only cached keys are accepted', async () => {
  const proxy = await startTcpProxy(gateway.databaseUrl);
  const cut = await startGateway({ auth: true, redisUrl: gateway.redisUrl, databaseUrl: proxy.url });
  onTestFinished(async () => {
    await cut.close();
    await proxy.close();
  });
  const [seen, unseen] = [await createKey(gateway.db), await createKey(gateway.db)];
  const unknown = { authorization: `Bearer qk_${'1'.repeat(12)}_${'x'.repeat(43)}` };
  expect(await statusOf(seen.header, cut)).toBe(200);
  await proxy.cut();
  expect((await cut.get('/nowhere', seen.header)).status).toBe(404);
  for (const header of [unseen.header, unknown]) {
    const refused = await cut.get('/nowhere', header);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ error_code: 'STORAGE_UNAVAILABLE' });
  }
});
