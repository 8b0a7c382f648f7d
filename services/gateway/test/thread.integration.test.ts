import { randomUUID } from 'node:crypto';
import {
  errorEnvelopeSchema,
  MESSAGES_PER_PAGE,
  threadDetailsSchema,
  threadSchema,
} from '@quire/shared/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routeGroups } from '../src/routes.js';
import { openApiDocument } from '../src/openapi/openapi-document.js';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { answered } from './thread-turns.js';

let gateway: GatewayUnderTest;
let threadId: string;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(() => {
  threadId = randomUUID();
});

const read = async (query = '', path = 'threads') => {
  const response = await gateway.get(`/${path}/${threadId}${query}`);
  expect(response.status).toBe(200);
  return threadSchema.strict().parse(await response.json());
};
const patch = (metadata: unknown) => gateway.send('PATCH', `/threads/${threadId}`, { metadata });
const patched = async (metadata: unknown) => {
  const response = await patch(metadata);
  expect(response.status).toBe(200);
  return threadDetailsSchema.strict().parse(await response.json()).metadata;
};
const refusal = async (response: Response) => ({
  status: response.status,
  code: errorEnvelopeSchema.parse(await response.json()).error_code,
});

describe('GET /threads/{id}', () => {
  it('a thread has its questions and answers in order, with sources and retrieval calls', async () => {
    const sources = [
      {
        source_type: 'selected_text' as const,
        marker: 1,
        selection_length: 9,
        snippet: 'a span',
        char_start: 0,
        char_end: 6,
      },
    ];
    const retrievalCalls = [
      {
        tool: 'search_book_content',
        query: 'nodes',
        results: 3,
        mean_similarity: 0.5,
        took_ms: 12,
        at: '2026-11-16T12:00:00.000Z',
      },
    ];
    const { runId } = await answered(gateway.db, { threadId, sources, retrievalCalls });
    const { created_at, updated_at, messages, ...thread } = await read();
    expect(thread).toEqual({
      session_id: threadId,
      title: 'How do nodes communicate?',
      topic_summary: null,
      status: 'active',
      message_count: 2,
      metadata: {},
    });
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
    const common = { request_id: runId, archived: false, created_at: messages[0]?.created_at };
    expect(messages).toMatchObject([
      { ...common, seq: 1, role: 'user', content: 'How do nodes communicate?' },
      {
        ...common,
        created_at: messages[1]?.created_at,
        seq: 2,
        role: 'assistant',
        content: 'By topics [1].',
        confidence: 0.8,
        confidence_level: 'high',
        sources,
        retrieval_calls: retrievalCalls,
      },
    ]);
  });

  it('a thread has the newest 50 messages, and older ones with include=archived', async () => {
    for (let n = 1; n <= 27; n += 1) await answered(gateway.db, { threadId, question: `q${n}` });
    const active = await read();
    expect(active.message_count).toBe(54);
    expect(active.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, n) => n + 5));
    expect(active.messages.every(({ archived }) => !archived)).toBe(true);
    expect(active).not.toHaveProperty('next_before');
    const whole = await read('?include=archived');
    expect(whole.messages).toHaveLength(54);
    expect(whole.messages.filter(({ archived }) => archived).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(whole).not.toHaveProperty('next_before');
    expect(await read('', 'history')).toEqual(active);
    expect(await read('?include=archived', 'history')).toEqual(whole);
  });

  it('a long thread is read in pages from the newest to the oldest by next_before', async () => {
    const { runId } = await answered(gateway.db, { threadId });
    const long = MESSAGES_PER_PAGE + 60;
    const message = { thread_id: threadId, run_id: runId, content: 'm' };
    const pairs = Array.from({ length: long / 2 - 1 }, (_, n) => [
      { ...message, seq: 2 * n + 3, role: 'user' as const },
      { ...message, seq: 2 * n + 4, role: 'assistant' as const },
    ]);
    await gateway.db.insertInto('messages').values(pairs.flat()).execute();
    await gateway.db.updateTable('threads').set({ message_count: long }).where('id', '=', threadId).execute();

    const newest = await read('?include=archived');
    expect(newest).toMatchObject({ next_before: 61, message_count: long });
    expect(newest.messages).toHaveLength(MESSAGES_PER_PAGE);
    const oldest = await read(`?include=archived&before=${newest.next_before}`);
    expect(oldest).not.toHaveProperty('next_before');
    const shown = [...oldest.messages, ...newest.messages].map(({ seq }) => seq);
    expect(shown).toEqual(Array.from({ length: long }, (_, n) => n + 1));
  });

  it('a thread and the list have its topic summary and status', async () => {
    await answered(gateway.db, { threadId });
    const change = { topic_summary: 'Nodes', archived_at: new Date() };
    await gateway.db.updateTable('threads').set(change).where('id', '=', threadId).execute();
    expect(await read()).toMatchObject({ topic_summary: 'Nodes', status: 'archived' });
    const list = (await (await gateway.get('/threads')).json()) as { threads: unknown[] };
    expect(list.threads).toContainEqual(
      expect.objectContaining({ session_id: threadId, topic_summary: 'Nodes', status: 'archived' }),
    );
  });

  it.each(['?include=all', '?include=archived&include=archived', '?before=0', '?before=x', '?page=2'])(
    'a thread requested with %s is refused',
    async (query) => {
      await answered(gateway.db, { threadId });
      const refused = { status: 400, code: 'INVALID_REQUEST' };
      expect(await refusal(await gateway.get(`/threads/${threadId}${query}`))).toEqual(refused);
      expect(await refusal(await gateway.get(`/history/${threadId}${query}`))).toEqual(refused);
    },
  );
});

describe('PATCH /threads/{id}', () => {
  it('a patch merges the metadata and removes keys that are null', async () => {
    await answered(gateway.db, { threadId });
    expect(await patched({ reader: { name: 'Ada', age: 36 }, tags: ['a'] })).toEqual({
      reader: { name: 'Ada', age: 36 },
      tags: ['a'],
    });
    expect(await patched({ reader: { age: null, city: 'London' }, tags: ['b'] })).toEqual({
      reader: { name: 'Ada', city: 'London' },
      tags: ['b'],
    });
    expect((await read()).metadata).toEqual({ reader: { name: 'Ada', city: 'London' }, tags: ['b'] });
  });

  it('a patch is accepted with the media types that the document names alone', async () => {
    await answered(gateway.db, { threadId });
    const { paths } = openApiDocument(routeGroups, '');
    const named = Object.keys(paths['/threads/{session_id}']?.patch?.requestBody?.content ?? {});
    expect(named).toContain('application/merge-patch+json');
    const statusAs = async (type: string) => {
      const body = '{"metadata":{"a":1}}';
      const headers = { 'content-type': type };
      return (await fetch(`${gateway.url}/threads/${threadId}`, { method: 'PATCH', headers, body })).status;
    };
    for (const type of named) expect(await statusAs(`${type}; charset=utf-8`)).toBe(200);
    expect(await statusAs('application/json-patch+json')).toBe(415);
    const elsewhere = await gateway.post('/feedback', {}, { 'content-type': 'application/merge-patch+json' });
    expect(elsewhere.status).toBe(415);
  });

  it('a patch changes neither the position of the thread in the list nor its status', async () => {
    await answered(gateway.db, { threadId });
    const archived = { archived_at: new Date() };
    await gateway.db.updateTable('threads').set(archived).where('id', '=', threadId).execute();
    const before = await read();
    await patched({ a: 1 });
    expect(await read()).toEqual({ ...before, metadata: { a: 1 } });
  });

  it('concurrent patches are all applied', async () => {
    await answered(gateway.db, { threadId });
    const keys = Array.from({ length: 20 }, (_, n) => `key${n}`);
    await Promise.all(keys.map((key) => patched({ [key]: true })));
    expect(Object.keys((await read()).metadata).sort()).toEqual(keys.sort());
  });

  it('a patch that would grow the metadata beyond 4 KB is refused and changes nothing', async () => {
    await answered(gateway.db, { threadId });
    await patched({ a: 'x'.repeat(3000) });
    const response = await patch({ b: 'x'.repeat(3000) });
    expect(response.status).toBe(400);
    const envelope = errorEnvelopeSchema.parse(await response.json());
    expect(envelope.details).toEqual([{ path: 'metadata', problem: 'must not exceed 4096 bytes of JSON' }]);
    expect(Object.keys((await read()).metadata)).toEqual(['a']);
  });

  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  it.each([
    ['an array', [1]],
    ['null', null],
    ['larger than 4 KB', { a: 'x'.repeat(5000) }],
    ['nested too deep', deep(11)],
    ['text with a NUL', { a: 'b\u0000' }],
  ])('a patch with metadata that is %s is refused', async (_, metadata) => {
    await answered(gateway.db, { threadId });
    expect(await refusal(await patch(metadata))).toEqual({ status: 400, code: 'INVALID_REQUEST' });
  });

  it('a patch with unknown fields, without metadata or without a JSON body is refused', async () => {
    await answered(gateway.db, { threadId });
    for (const body of [{}, { metadata: {}, title: 'x' }, '{']) {
      const response = await gateway.send('PATCH', `/threads/${threadId}`, body);
      expect(await refusal(response)).toEqual({ status: 400, code: 'INVALID_REQUEST' });
    }
    const bare = await gateway.send('PATCH', `/threads/${threadId}`);
    expect(await refusal(bare)).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });
});

describe("a thread that is not the caller's", () => {
  const ways: [method: string, path: (id: string) => string, body?: unknown][] = [
    ['GET', (id) => `/threads/${id}`],
    ['GET', (id) => `/threads/${id}?include=archived`],
    ['GET', (id) => `/history/${id}`],
    ['PATCH', (id) => `/threads/${id}`, { metadata: { mine: true } }],
    ['DELETE', (id) => `/threads/${id}`],
  ];
  it.each(ways)('%s %s of a thread of another tenant is a 404', async (method, path, body) => {
    const theirs = await answered(gateway.db, { tenant: 'another-tenant' });
    for (const id of [theirs.threadId, randomUUID(), 'not-a-uuid']) {
      const response = await gateway.send(method, path(id), body);
      expect(await refusal(response)).toEqual({ status: 404, code: 'NOT_FOUND' });
    }
    const [kept] = await gateway.db
      .selectFrom('threads')
      .selectAll()
      .where('id', '=', theirs.threadId)
      .execute();
    expect(kept?.message_count).toBe(2);
    expect(kept?.metadata).toEqual({});
  });

  it.each([
    ['POST', '/threads/x', 'GET, HEAD, PATCH, DELETE'],
    ['DELETE', '/history/x', 'GET, HEAD'],
  ])('%s %s is refused with the allowed methods %s', async (method, path, allow) => {
    const response = await gateway.send(method, path, {});
    expect(response.headers.get('allow')).toBe(allow);
    expect(await refusal(response)).toEqual({ status: 405, code: 'METHOD_NOT_ALLOWED' });
  });
});
