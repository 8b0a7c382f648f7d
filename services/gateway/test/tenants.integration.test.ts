import { randomUUID } from 'node:crypto';
import type { Thread } from '@quire/shared/contracts';
import { appendTurn, findRun } from '@quire/shared/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKey, type KeyForTest } from './api-keys-for-test.js';
import { completed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { answered, aTurn } from './thread-turns.js';

let gateway: GatewayUnderTest;
let owner: KeyForTest;
let colleague: KeyForTest;
let stranger: KeyForTest;
beforeAll(async () => {
  gateway = await startGateway({ auth: true, maxConcurrent: 100 });
  owner = await createKey(gateway.db, { tenant: 'acme' });
  colleague = await createKey(gateway.db, { tenant: 'acme' });
  stranger = await createKey(gateway.db, { tenant: 'umbrella', scopes: ['chat', 'admin'] });
});
afterAll(() => gateway.close());

/** A finished run of the owner, with a thread. */
async function ownersRun(): Promise<{ runId: string; threadId: string }> {
  const headers = { prefer: 'respond-async', ...owner.header };
  const accepted = await gateway.post('/chat', { message: 'Ours alone' }, headers);
  const { request_id: runId, session_id: threadId } = (await accepted.json()) as Record<string, string>;
  if (!runId || !threadId) throw new Error('not accepted');
  const turn = { question: 'Ours alone', answer: 'Yes.' };
  await appendTurn(gateway.db, aTurn({ threadId, tenant: 'acme', runId, ...turn }));
  await gateway.conclude(completed(runId));
  return { runId, threadId };
}

interface OwnRoute {
  method: string;
  path: (ids: { runId: string; threadId: string }) => string;
  /** The owner's response. */
  status: number;
  body?: (ids: { runId: string; threadId: string }) => object;
  /** It succeeds only once. */
  once?: boolean;
}

/** Every route with an id of something that belongs to a tenant. */
const routes: OwnRoute[] = [
  { method: 'GET', path: ({ runId }) => `/chat/${runId}`, status: 200 },
  { method: 'HEAD', path: ({ runId }) => `/chat/${runId}`, status: 200 },
  { method: 'GET', path: ({ runId }) => `/chat/${runId}/stream`, status: 200 },
  { method: 'HEAD', path: ({ runId }) => `/chat/${runId}/stream`, status: 200 },
  { method: 'DELETE', path: ({ runId }) => `/chat/${runId}`, status: 200 },
  { method: 'GET', path: ({ threadId }) => `/threads/${threadId}`, status: 200 },
  { method: 'HEAD', path: ({ threadId }) => `/threads/${threadId}`, status: 200 },
  { method: 'GET', path: ({ threadId }) => `/history/${threadId}`, status: 200 },
  {
    method: 'PATCH',
    path: ({ threadId }) => `/threads/${threadId}`,
    status: 200,
    body: () => ({ metadata: { mine: true } }),
  },
  { method: 'DELETE', path: ({ threadId }) => `/threads/${threadId}`, status: 204, once: true },
  {
    method: 'POST',
    path: () => '/feedback',
    status: 200,
    body: ({ runId }) => ({ request_id: runId, rating: 'up' }),
  },
];

it.each(routes)(
  '$method $path is for the keys of its tenant alone',
  async ({ method, path, status, body, once }) => {
    const ids = await ownersRun();
    const send = (of: typeof ids, { header }: KeyForTest) =>
      fetch(gateway.url + path(of), {
        method,
        headers: { ...header, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body(of)) }),
      });
    const refused = await send(ids, stranger);
    expect(refused.status).toBe(404);
    // The same message as for what does not exist.
    const nothing = { runId: randomUUID(), threadId: randomUUID() };
    const missing = await send(nothing, stranger);
    expect(missing.status).toBe(404);
    if (method !== 'HEAD') {
      const said = (await refused.json()) as Record<string, string>;
      expect(said).toMatchObject({ error_code: 'NOT_FOUND' });
      expect(said['message']).toBe(((await missing.json()) as Record<string, string>)['message']);
    }
    for (const key of once ? [colleague] : [owner, colleague]) {
      const response = await send(ids, key);
      await response.text();
      expect(response.status).toBe(status);
    }
  },
);

it('a cancel by another tenant changes nothing', async () => {
  const headers = { prefer: 'respond-async', ...owner.header };
  const accepted = await gateway.post('/chat', { message: 'Wait' }, headers);
  const { request_id: runId = '' } = (await accepted.json()) as Record<string, string>;
  await fetch(`${gateway.url}/chat/${runId}`, { method: 'DELETE', headers: stranger.header });
  expect(await findRun(gateway.db, runId)).toMatchObject({ cancelRequested: false, outcome: null });
});

it("GET /threads lists the tenant's own threads alone", async () => {
  const { threadId } = await ownersRun();
  const listed = async ({ header }: KeyForTest) => (await gateway.get('/threads', header)).text();
  expect(await listed(owner)).toContain(threadId);
  expect(await listed(colleague)).toContain(threadId);
  expect(JSON.parse(await listed(stranger))).toEqual({ threads: [] });
});

it('two tenants may use the same Idempotency-Key', async () => {
  const headers = { prefer: 'respond-async', 'idempotency-key': randomUUID() };
  const ask = async (key: KeyForTest, message: string) => {
    const response = await gateway.post('/chat', { message }, { ...headers, ...key.header });
    const { request_id: id } = (await response.json()) as Record<string, string>;
    return { id, status: response.status };
  };
  const first = await ask(owner, 'Hi');
  // Not even a conflict reveals the other tenant's use.
  const strangers = await ask(stranger, 'Something else');
  expect(strangers.status).toBe(202);
  expect(strangers.id).not.toBe(first.id);
  expect((await ask(colleague, 'Hi')).id).toBe(first.id);
});

it.each(['/chat', '/chat/run', '/chat/stream'])(
  "POST %s with the session_id of another tenant's thread creates a thread of the caller's own",
  async (path) => {
    const { threadId } = await ownersRun();
    const message = `Mine at ${path}?`;
    const asking = gateway.post(path, { message, session_id: threadId }, stranger.header);
    const runId = await gateway.runOf(message);
    await appendTurn(gateway.db, aTurn({ threadId, tenant: 'umbrella', runId, question: message }));
    await gateway.conclude(completed(runId));
    expect((await asking).status).toBe(200);
    const opened = async ({ header }: KeyForTest) => {
      const thread = (await (await gateway.get(`/threads/${threadId}`, header)).json()) as Thread;
      return [thread.session_id, ...thread.messages.map(({ content }) => content)];
    };
    expect(await opened(stranger)).toEqual([threadId, message, 'By topics [1].']);
    expect(await opened(owner)).toEqual([threadId, 'Ours alone', 'Yes.']);
  },
);

it('two tenants with threads of one session_id change and delete only their own', async () => {
  const threadId = randomUUID();
  for (const tenant of ['acme', 'umbrella']) await answered(gateway.db, { threadId, tenant });
  const send = (method: string, { header }: KeyForTest, body?: object) =>
    fetch(`${gateway.url}/threads/${threadId}`, {
      method,
      headers: { ...header, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const metadataOf = async (key: KeyForTest) => ((await (await send('GET', key)).json()) as Thread).metadata;
  expect((await send('PATCH', stranger, { metadata: { whose: 'umbrella' } })).status).toBe(200);
  expect((await send('PATCH', owner, { metadata: { whose: 'acme' } })).status).toBe(200);
  expect(await metadataOf(stranger)).toEqual({ whose: 'umbrella' });
  expect((await send('DELETE', stranger)).status).toBe(204);
  expect((await send('GET', stranger)).status).toBe(404);
  expect(await metadataOf(owner)).toEqual({ whose: 'acme' });
});

it("deleting a thread does not cancel another tenant's runs with its session_id", async () => {
  const session_id = randomUUID();
  const headers = { prefer: 'respond-async' };
  const ask = async (key: KeyForTest) => {
    const accepted = await gateway.post(
      '/chat',
      { message: 'Wait', session_id },
      { ...headers, ...key.header },
    );
    return ((await accepted.json()) as { request_id: string }).request_id;
  };
  const [ours, theirs] = [await ask(owner), await ask(stranger)];
  const deleted = await fetch(`${gateway.url}/threads/${session_id}`, {
    method: 'DELETE',
    headers: owner.header,
  });
  expect(deleted.status).toBe(204);
  expect(await findRun(gateway.db, ours)).toBeUndefined();
  expect(await findRun(gateway.db, theirs)).toMatchObject({ cancelRequested: false, outcome: null });
});

it('the table of this test has every route with an id in its path', async () => {
  const document = (await (await gateway.get('/openapi.json')).json()) as { paths: Record<string, object> };
  const named = Object.entries(document.paths)
    .filter(([path]) => path.includes('_id}'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  const ids = { runId: '{request_id}', threadId: '{session_id}' };
  const tried = new Set(routes.map(({ method, path }) => `${method} ${path(ids)}`));
  expect(named.filter((route) => !tried.has(route))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});
