import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-for-test.js';
import { newTurn } from '../../test/runs.js';
import type { Database } from './database.js';
import { isThreadOf } from './thread-owner.js';
import { appendTurn, recentExchanges, type Turn } from './thread.repository.js';

let db: Database;
let closeDatabase: () => Promise<void>;
let threadId: string;

beforeAll(async () => {
  ({ db, close: closeDatabase } = await openTestDatabase());
});

afterAll(() => closeDatabase());

beforeEach(() => {
  threadId = randomUUID();
});

const commit = (turn: Turn) => db.transaction().execute((transaction) => appendTurn(transaction, turn));
const messages = () =>
  db.selectFrom('messages').selectAll().where('thread_id', '=', threadId).orderBy('seq').execute();
const messagesOf = (tenant: string) =>
  db
    .selectFrom('messages')
    .innerJoin('threads', 'threads.id', 'messages.thread_id')
    .selectAll('messages')
    .where(isThreadOf({ threadId, tenant }))
    .orderBy('seq')
    .execute();
const threads = () => db.selectFrom('threads').selectAll().where('id', '=', threadId).execute();

it('a turn stores question and answer, the answer with its confidence, sources and searches', async () => {
  const turn = newTurn(threadId, {
    sources: [
      {
        source_type: 'selected_text',
        marker: 1,
        selection_length: 9,
        snippet: 'a span',
        char_start: 0,
        char_end: 6,
      },
    ],
    retrievalCalls: [
      {
        tool: 'search_book_content',
        query: 'nodes',
        results: 3,
        mean_similarity: 0.5,
        took_ms: 12,
        at: '2026-11-16T12:00:00.000Z',
      },
    ],
  });
  await commit(turn);
  expect(await threads()).toMatchObject([{ id: threadId, tenant: 'local', message_count: 2 }]);
  expect(await messages()).toMatchObject([
    { seq: 1, role: 'user', content: turn.question, run_id: turn.runId, confidence: null, sources: null },
    {
      seq: 2,
      role: 'assistant',
      content: turn.answer,
      run_id: turn.runId,
      confidence: 0.8,
      confidence_level: 'high',
      sources: turn.sources,
      retrieval_calls: turn.retrievalCalls,
    },
  ]);
});

it('50 concurrent turns get dense numbers in which questions and answers alternate', async () => {
  const turns = Array.from({ length: 50 }, (_, n) =>
    newTurn(threadId, { question: `q${n}`, answer: `a${n}` }),
  );
  await Promise.all(turns.map(commit));
  const rows = await messages();
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  expect(rows.map(({ role }) => role)).toEqual(turns.flatMap(() => ['user', 'assistant']));
  for (let n = 0; n < 100; n += 2) {
    expect(rows[n + 1]?.content).toBe(rows[n]?.content.replace('q', 'a'));
    expect(rows[n + 1]?.run_id).toBe(rows[n]?.run_id);
  }
  expect(new Set(rows.map(({ content }) => content)).size).toBe(100);
  expect(await threads()).toMatchObject([{ message_count: 100 }]);
  const times = rows.map(({ created_at }) => created_at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

it('a turn returns the new length of the thread and its length at the last summary', async () => {
  expect(await commit(newTurn(threadId))).toMatchObject({ messages: 2, summarizedMessages: 0 });
  await db.updateTable('threads').set({ summarized_messages: 2 }).where('id', '=', threadId).execute();
  expect(await commit(newTurn(threadId))).toMatchObject({ messages: 4, summarizedMessages: 2 });
});

it('a turn that is rolled back leaves no gap', async () => {
  const lost = db.transaction().execute(async (transaction) => {
    await appendTurn(transaction, newTurn(threadId));
    throw new Error('no commit');
  });
  await expect(lost).rejects.toThrow('no commit');
  expect(await threads()).toEqual([]);
  await commit(newTurn(threadId));
  expect((await messages()).map(({ seq }) => seq)).toEqual([1, 2]);
});

it('a turn of one thread does not change another', async () => {
  const other = randomUUID();
  await Promise.all([commit(newTurn(threadId)), commit(newTurn(other)), commit(newTurn(threadId))]);
  expect((await messages()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(await recentExchanges(db, { threadId: other, tenant: 'local' }, 5)).toHaveLength(1);
});

it('tenants that use the same session_id at the same time get a thread each', async () => {
  const tenants = ['acme', 'umbrella', 'initech'];
  const turns = tenants.flatMap((tenant) =>
    Array.from({ length: 8 }, (_, n) => newTurn(threadId, { tenant, question: `${tenant} ${n}` })),
  );
  const begun = await Promise.all(turns.map(commit));
  expect(new Set(begun.map(({ id }) => id)).size).toBe(tenants.length);
  for (const tenant of tenants) {
    const rows = await messagesOf(tenant);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
    const questions = rows.filter(({ role }) => role === 'user').map(({ content }) => content);
    expect(questions.toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => `${tenant} ${n}`));
  }
});

it("a turn goes to its tenant's thread even if another tenant used the same session_id first", async () => {
  const written = { acme: 0, umbrella: 0 };
  for (const tenant of ['acme', 'umbrella', 'umbrella', 'acme', 'umbrella'] as const) {
    written[tenant] += 2;
    expect(await commit(newTurn(threadId, { tenant }))).toMatchObject({ messages: written[tenant] });
  }
  await db
    .deleteFrom('threads')
    .where(isThreadOf({ threadId, tenant: 'acme' }))
    .execute();
  expect(await commit(newTurn(threadId, { tenant: 'umbrella' }))).toMatchObject({ messages: 8 });
  expect(await commit(newTurn(threadId, { tenant: 'acme' }))).toMatchObject({ messages: 2 });
});

it('recentExchanges returns the newest exchanges, oldest first', async () => {
  for (const n of [1, 2, 3, 4]) await commit(newTurn(threadId, { question: `q${n}`, answer: `a${n}` }));
  expect(await recentExchanges(db, { threadId, tenant: 'local' }, 2)).toEqual([
    { question: 'q3', answer: 'a3' },
    { question: 'q4', answer: 'a4' },
  ]);
  expect(await recentExchanges(db, { threadId, tenant: 'local' }, 4)).toHaveLength(4);
  expect(await recentExchanges(db, { threadId, tenant: 'local' }, 50)).toHaveLength(4);
  expect(await recentExchanges(db, { threadId, tenant: 'local' }, 0)).toEqual([]);
});

it('recentExchanges returns no archived messages', async () => {
  for (let n = 1; n <= 27; n += 1) await commit(newTurn(threadId, { question: `q${n}` }));
  const active = await recentExchanges(db, { threadId, tenant: 'local' }, 100);
  expect(active.map(({ question }) => question)).toEqual(Array.from({ length: 25 }, (_, n) => `q${n + 3}`));
});

it("recentExchanges returns the tenant's own exchanges only", async () => {
  await commit(newTurn(threadId, { tenant: 'acme', question: 'Ours?' }));
  expect(await recentExchanges(db, { threadId, tenant: 'umbrella' }, 5)).toEqual([]);
  await commit(newTurn(threadId, { tenant: 'umbrella', question: 'Theirs?' }));
  for (const [tenant, question] of [
    ['acme', 'Ours?'],
    ['umbrella', 'Theirs?'],
  ] as const) {
    expect(await recentExchanges(db, { threadId, tenant }, 5)).toMatchObject([{ question }]);
  }
});

it('recentExchanges is empty for a thread that does not exist', async () => {
  expect(await recentExchanges(db, { threadId, tenant: 'local' }, 5)).toEqual([]);
});

it('deleting the row of a thread deletes its messages', async () => {
  await commit(newTurn(threadId));
  await db.deleteFrom('threads').where('id', '=', threadId).execute();
  expect(await messages()).toEqual([]);
});
