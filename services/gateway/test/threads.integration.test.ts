import { randomUUID } from 'node:crypto';
import { errorEnvelopeSchema, threadListSchema, type ThreadSummary } from '@quire/shared/contracts';
import { appendTurn } from '@quire/shared/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.db.deleteFrom('threads').execute());

async function turn(question: string, threadId: string = randomUUID(), tenant = 'local'): Promise<string> {
  await appendTurn(gateway.db, {
    threadId,
    tenant,
    runId: randomUUID(),
    question,
    answer: 'By topics.',
    confidence: 0.8,
    confidenceLevel: 'high',
    sources: [],
    retrievalCalls: [],
  });
  return threadId;
}

const list = async (query = '') => {
  const response = await gateway.get(`/threads${query}`);
  expect(response.status).toBe(200);
  return threadListSchema.strict().parse(await response.json());
};

describe('GET /threads', () => {
  it("the list has the tenant's threads, the last used first", async () => {
    const first = await turn('What is a node?');
    const second = await turn('What is a topic?');
    await turn('Whose is this?', undefined, 'another-tenant');
    await turn('And a service?', first);
    const { threads, next_cursor } = await list();
    expect(threads).toMatchObject([
      { session_id: first, title: 'What is a node?', message_count: 4 },
      { session_id: second, title: 'What is a topic?', message_count: 2 },
    ]);
    expect(next_cursor).toBeUndefined();
  });

  it('the list of a tenant without threads is empty', async () => {
    expect(await list()).toEqual({ threads: [] });
  });

  it('the title is the first question, cut at a word if it is long', async () => {
    await turn(`Why ${'do nodes talk '.repeat(20)}?\n`);
    const [thread] = (await list()).threads;
    expect(thread?.title).toMatch(/^Why do nodes talk .*(do|nodes|talk)…$/);
    expect(thread?.title.length).toBeLessThanOrEqual(80);
  });

  it('the pages have every thread once, also if threads are created between two requests', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await turn(`Question ${n}`));
    const seen: ThreadSummary[] = [];
    let page = await list('?limit=2');
    for (;;) {
      seen.push(...page.threads);
      if (page.next_cursor === undefined) break;
      await turn('Late');
      page = await list(`?limit=2&cursor=${page.next_cursor}`);
    }
    expect(seen.map((thread) => thread.session_id)).toEqual(ids);
  });

  it('a full last page has no cursor', async () => {
    await turn('One');
    await turn('Two');
    expect((await list('?limit=2')).next_cursor).toBeUndefined();
  });

  it('a page has 20 threads by default', async () => {
    for (let n = 0; n < 21; n += 1) await turn(`Question ${n}`);
    expect((await list()).threads).toHaveLength(20);
    expect((await list('?limit=100')).threads).toHaveLength(21);
  });

  const madeCursor = (...position: unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url');

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=-1', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?limit=', 'limit'],
    ['?limit=ten', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?cursor=', 'cursor'],
    ['?cursor=nonsense', 'cursor'],
    ['?cursor=a&cursor=b', 'cursor'],
    [`?cursor=${madeCursor('yesterday', randomUUID())}`, 'cursor'],
    [`?cursor=${madeCursor('2026-11-16T12:00:00.000000Z', 'x')}`, 'cursor'],
    [`?cursor=${madeCursor('2026-02-31T12:00:00.000000Z', randomUUID())}`, 'cursor'],
    [`?cursor=${madeCursor('0000-01-01T00:00:00.000000Z', randomUUID())}`, 'cursor'],
    ['?page=2', 'page'],
  ])('the list requested with %s is refused', async (query, path) => {
    const response = await gateway.get(`/threads${query}`);
    expect(response.status).toBe(400);
    const envelope = errorEnvelopeSchema.parse(await response.json());
    expect(envelope.error_code).toBe('INVALID_REQUEST');
    expect(envelope.details?.map((detail) => detail.path)).toEqual([path]);
  });

  it.each(['0001-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'])(
    'a cursor may have the time %s',
    async (time) => {
      expect((await gateway.get(`/threads?cursor=${madeCursor(time, randomUUID())}`)).status).toBe(200);
    },
  );

  it('/threads allows GET and HEAD alone', async () => {
    const response = await gateway.post('/threads', {});
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });
});
