import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-for-test.js';
import { newTurn } from '../../test/runs.js';
import { MESSAGES_PER_PAGE } from '../contracts/thread.contract.js';
import type { Database } from './database.js';
import { findThread, openThread, type MessageRange } from './open-thread.repository.js';
import { deleteThread } from './thread-deletion.repository.js';
import { appendTurn } from './thread.repository.js';

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

const exchanges = async (count: number) => {
  for (let n = 1; n <= count; n += 1) await appendTurn(db, newTurn(threadId, { question: `q${n}` }));
};
const sequences = async (range: MessageRange) => {
  const thread = await openThread(db, { threadId, tenant: 'local' }, range);
  return thread?.messages.map(({ seq }) => seq) ?? [];
};
const fromTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

it('openThread returns the newest 50 messages, or all of them with includeArchived', async () => {
  await exchanges(25);
  expect(await sequences({ includeArchived: false })).toEqual(fromTo(1, 50));
  await exchanges(1);
  expect(await sequences({ includeArchived: false })).toEqual(fromTo(3, 52));
  expect(await sequences({ includeArchived: true })).toEqual(fromTo(1, 52));
});

it('openThread returns a long thread in pages, newest page first', async () => {
  await exchanges(1);
  const long = MESSAGES_PER_PAGE + 10;
  await db
    .insertInto('messages')
    .values(
      fromTo(3, long).map((seq) => ({
        thread_id: threadId,
        seq,
        role: seq % 2 === 1 ? 'user' : 'assistant',
        content: 'm',
        run_id: randomUUID(),
      })),
    )
    .execute();
  await db.updateTable('threads').set({ message_count: long }).where('id', '=', threadId).execute();
  expect(await sequences({ includeArchived: true })).toEqual(fromTo(11, long));
  expect(await sequences({ includeArchived: true, before: 11 })).toEqual(fromTo(1, 10));
  expect(await sequences({ includeArchived: true, before: 1 })).toEqual([]);
});

it("openThread returns the tenant's own thread although another tenant uses the same session_id", async () => {
  for (const [tenant, turns] of [
    ['acme', 2],
    ['local', 1],
  ] as const) {
    for (let n = 1; n <= turns; n += 1)
      await appendTurn(db, newTurn(threadId, { tenant, question: `${tenant} ${n}` }));
  }
  for (const [tenant, questions] of [
    ['acme', ['acme 1', 'acme 2']],
    ['local', ['local 1']],
  ] as const) {
    const opened = await openThread(db, { threadId, tenant }, { includeArchived: true });
    expect(opened).toMatchObject({ id: threadId, firstQuestion: questions[0] });
    const asked = opened?.messages.filter(({ role }) => role === 'user');
    expect(asked?.map(({ content }) => content)).toEqual(questions);
  }
});

it("openThread finds neither another tenant's thread nor one that does not exist", async () => {
  await exchanges(1);
  for (const owner of [
    { threadId, tenant: 'intruder' },
    { threadId: randomUUID(), tenant: 'local' },
  ]) {
    expect(await openThread(db, owner, { includeArchived: true })).toBeUndefined();
    expect(await findThread(db, owner)).toBeUndefined();
  }
});

it('openThread returns a thread completely while it is being deleted', async () => {
  await exchanges(2);
  const owner = { threadId, tenant: 'local' };
  let deletion: Promise<unknown> | undefined;
  const deletingAfterFirst = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await (deletion ??= deleteThread(db, owner));
      return result;
    },
  });
  const thread = await openThread(deletingAfterFirst, owner, { includeArchived: false });
  expect(thread).toMatchObject({
    messageCount: 4,
    messages: [{ seq: 1 }, { seq: 2 }, { seq: 3 }, { seq: 4 }],
  });
  expect(await findThread(db, owner)).toBeUndefined();
});
