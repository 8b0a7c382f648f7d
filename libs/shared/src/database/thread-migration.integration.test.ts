import { randomUUID } from 'node:crypto';
import { createTestDatabase, eventually } from '@quire/testkit';
import { sql } from 'kysely';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { migrateTo } from '../../test/migrate-to.js';
import { completedEvent } from '../../test/run-events.js';
import { newRun, newTurn } from '../../test/runs.js';
import { silentLogger } from '../../test/silent-logger.js';
import { openDatabase, type Database } from './database.js';
import { migrate } from './migrate.js';
import { openThread } from './open-thread.repository.js';
import { finishRun, insertRuns } from './run.repository.js';
import { deleteThread } from './thread-deletion.repository.js';
import { listThreads } from './thread-list.repository.js';
import { appendTurn, recentExchanges, type Turn } from './thread.repository.js';

let url: string;
let db: Database;
beforeEach(async () => {
  const database = await createTestDatabase();
  url = database.url;
  db = openDatabase(url, silentLogger, 3);
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
  });
  await migrateTo(db, '0008-feedback-by-caller');
});

/** Appends a turn as the version before 0009 does. */
async function appendAsBefore(on: Database, turn: Turn): Promise<void> {
  const { rows } = await sql<{ message_count: number }>`
    INSERT INTO threads (id, tenant, message_count) VALUES (${turn.threadId}, ${turn.tenant}, 2)
    ON CONFLICT (id) DO UPDATE SET message_count = threads.message_count + 2,
      updated_at = clock_timestamp(), archived_at = null WHERE threads.tenant = ${turn.tenant}
    RETURNING message_count, summarized_messages, created_at`.execute(on);
  const count = rows[0]?.message_count;
  if (count === undefined) throw new Error('There is no thread with this session_id');
  await sql`INSERT INTO messages (thread_id, run_id, created_at, seq, role, content) VALUES
    (${turn.threadId}, ${turn.runId}, clock_timestamp(), ${count - 1}, 'user', ${turn.question}),
    (${turn.threadId}, ${turn.runId}, clock_timestamp(), ${count}, 'assistant', ${turn.answer})`.execute(on);
}

/** Reads a thread's exchanges as the version before 0009 does. */
async function questionsAsBefore({ threadId, tenant }: Pick<Turn, 'threadId' | 'tenant'>): Promise<string[]> {
  const { rows } = await sql<{ content: string }>`
    SELECT content FROM messages INNER JOIN threads ON threads.id = messages.thread_id
    WHERE thread_id = ${threadId} AND tenant = ${tenant} AND role = 'user' ORDER BY seq`.execute(db);
  return rows.map(({ content }) => content);
}

const questionsOf = async (owner: Pick<Turn, 'threadId' | 'tenant'>) =>
  (await recentExchanges(db, owner, 25)).map(({ question }) => question);

it('migration 0009 keeps session_id, messages and list position of threads', async () => {
  const ids = Array.from({ length: 5 }, () => randomUUID());
  for (const [n, threadId] of ids.entries()) {
    await appendAsBefore(db, newTurn(threadId, { question: `q${n}` }));
    await appendAsBefore(db, newTurn(threadId, { question: `more of q${n}` }));
  }
  const metadata = JSON.stringify({ course: 'robotics-101' });
  const kept = { metadata, topic_summary: 'Nodes', summarized_messages: 4, archived_at: new Date() };
  await db
    .updateTable('threads')
    .set(kept)
    .where('id', '=', ids[0] ?? '')
    .execute();
  await migrate(url, silentLogger);

  const listed = await listThreads(db, 'local', { limit: 10 });
  expect(listed.map(({ id, firstQuestion }) => [id, firstQuestion])).toEqual(
    ids.map((id, n) => [id, `q${n}`]).toReversed(),
  );
  const owner = { threadId: ids[0] ?? '', tenant: 'local' };
  expect(await openThread(db, owner, { includeArchived: true })).toMatchObject({
    id: ids[0],
    metadata: { course: 'robotics-101' },
    topicSummary: 'Nodes',
    status: 'archived',
    messages: [{ seq: 1 }, { seq: 2 }, { seq: 3 }, { seq: 4 }],
  });
  expect(await appendTurn(db, newTurn(owner.threadId))).toMatchObject({ messages: 6, summarizedMessages: 4 });
});

it("after migration 0009 another tenant's earlier thread does not prevent one with the same session_id", async () => {
  const threadId = randomUUID();
  await appendAsBefore(db, newTurn(threadId, { question: 'Before?' }));
  await migrate(url, silentLogger);
  await appendTurn(db, newTurn(threadId, { tenant: 'acme', question: 'After?' }));
  expect(await questionsOf({ threadId, tenant: 'local' })).toEqual(['Before?']);
  expect(await questionsOf({ threadId, tenant: 'acme' })).toEqual(['After?']);
});

it('workers of the former and of this version append to the same thread during a rolling update', async () => {
  await migrate(url, silentLogger);
  const append = [appendAsBefore, appendTurn];
  for (const first of [0, 1]) {
    const owner = { threadId: randomUUID(), tenant: 'local' };
    const questions = Array.from({ length: 6 }, (_, n) => `q${n}`);
    for (const [n, question] of questions.entries()) {
      await append[(n + first) % 2]?.(db, newTurn(owner.threadId, { question }));
    }
    expect(await questionsOf(owner)).toEqual(questions);
    expect(await questionsAsBefore(owner)).toEqual(questions);
    const atOnce = Array.from({ length: 10 }, (_, n) =>
      db.transaction().execute(async (transaction) => {
        await append[n % 2]?.(transaction, newTurn(owner.threadId));
      }),
    );
    await Promise.all(atOnce);
    expect((await openThread(db, owner, { includeArchived: true }))?.messages).toHaveLength(32);
    const deleted = db.transaction().execute((transaction) => deleteThread(transaction, owner));
    expect(await deleted).toEqual([]);
    expect(await questionsAsBefore(owner)).toEqual([]);
  }
});

it.each([
  ['its run', false],
  ['its run and its thread', true],
])('a turn whose commit has locked %s is committed while migration 0009 begins', async (_, hasThread) => {
  const run = newRun();
  await insertRuns(db, [run]);
  const turn = newTurn(run.request.session_id, { runId: run.id });
  const next = newTurn(turn.threadId);
  let migrating: Promise<void> | undefined;
  await db.transaction().execute(async (transaction) => {
    await finishRun(transaction, run.id, completedEvent(run.id));
    if (hasThread) await appendAsBefore(transaction, turn);
    migrating = migrate(url, silentLogger);
    migrating.catch(() => {});
    await Promise.race([migrating, eventually(isWaiting)]);
    await appendAsBefore(transaction, hasThread ? next : turn);
  });
  await migrating;
  expect(await questionsOf(turn)).toHaveLength(hasThread ? 2 : 1);
});

async function isWaiting(): Promise<void> {
  const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
    AND datname = current_database() AND application_name = 'quire-migration'`;
  expect((await waiting.execute(db)).rows).toHaveLength(1);
}

it('migration 0009 can be reverted, after which every thread is known by its id', async () => {
  await migrate(url, silentLogger);
  const threadId = randomUUID();
  for (const tenant of ['local', 'acme']) await appendTurn(db, newTurn(threadId, { tenant }));
  await migrateTo(db, '0008-feedback-by-caller');
  await appendAsBefore(db, newTurn(threadId, { question: 'And then?' }));
  expect(await questionsAsBefore({ threadId, tenant: 'local' })).toHaveLength(2);
});
