import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-for-test.js';
import { newTurn } from '../../test/runs.js';
import type { Database } from './database.js';
import { listThreads, type ListedThread, type ThreadPosition } from './thread-list.repository.js';
import { appendTurn } from './thread.repository.js';

let db: Database;
let closeDatabase: () => Promise<void>;
let tenant: string;

beforeAll(async () => {
  ({ db, close: closeDatabase } = await openTestDatabase());
});

afterAll(() => closeDatabase());

beforeEach(() => {
  tenant = randomUUID();
});

async function newThread(updatedAt?: string): Promise<string> {
  const id = randomUUID();
  await appendTurn(db, newTurn(id, { tenant }));
  if (updatedAt) await sql`UPDATE threads SET updated_at = ${updatedAt} WHERE id = ${id}`.execute(db);
  return id;
}

async function allPages(limit: number): Promise<ListedThread[]> {
  const listed: ListedThread[] = [];
  let after: ThreadPosition | undefined;
  for (;;) {
    const page = await listThreads(db, tenant, { limit, after });
    listed.push(...page);
    after = page.at(-1)?.position;
    if (page.length < limit) return listed;
  }
}

it("listThreads returns the tenant's threads only, with first question and number of messages", async () => {
  const id = await newThread();
  await appendTurn(db, newTurn(id, { tenant, question: 'And then?' }));
  await appendTurn(db, newTurn(randomUUID(), { tenant: randomUUID() }));
  expect(await listThreads(db, tenant, { limit: 10 })).toMatchObject([
    { id, firstQuestion: 'How do nodes communicate?', messageCount: 4 },
  ]);
});

it('listThreads names a thread by its session_id, even if another tenant used it before', async () => {
  const others = randomUUID();
  const id = randomUUID();
  await appendTurn(db, newTurn(id, { tenant: others, question: 'Theirs?' }));
  await appendTurn(db, newTurn(id, { tenant, question: 'Ours?' }));
  expect(await listThreads(db, tenant, { limit: 10 })).toMatchObject([
    { id, firstQuestion: 'Ours?', messageCount: 2, position: { id } },
  ]);
  expect(await listThreads(db, others, { limit: 10 })).toMatchObject([{ id, firstQuestion: 'Theirs?' }]);
});

it('listThreads returns topic summary and status', async () => {
  const id = await newThread();
  expect(await listThreads(db, tenant, { limit: 1 })).toMatchObject([
    { topicSummary: null, status: 'active' },
  ]);
  const change = { topic_summary: 'Nodes and topics', archived_at: new Date() };
  await db.updateTable('threads').set(change).where('id', '=', id).execute();
  expect(await listThreads(db, tenant, { limit: 1 })).toMatchObject([
    { topicSummary: 'Nodes and topics', status: 'archived' },
  ]);
});

it('listThreads returns the last used thread first', async () => {
  const [old, middle] = [await newThread(), await newThread()];
  await appendTurn(db, newTurn(old, { tenant }));
  expect((await allPages(10)).map(({ id }) => id)).toEqual([old, middle]);
});

it('pages of listThreads neither skip nor repeat threads, even of the same instant', async () => {
  const times = [
    '09.123456',
    '09.123455',
    '09.123400',
    '09.1234',
    '09.123',
    '09.1239',
    '08',
    '10',
    '09.1234',
  ];
  const ids = await Promise.all(times.map((time) => newThread(`2026-11-16T12:00:${time}Z`)));
  const whole = await listThreads(db, tenant, { limit: 100 });
  const order = (at: number) => Number(times[ids.indexOf(whole[at]?.id ?? '')]);
  for (let at = 1; at < whole.length; at += 1) expect(order(at)).toBeLessThanOrEqual(order(at - 1));
  for (const limit of [1, 2, 3, 4]) expect(await allPages(limit)).toEqual(whole);
});

it('listThreads uses an index', async () => {
  await sql`INSERT INTO threads (id, tenant, updated_at)
    SELECT gen_random_uuid(), ${tenant}, now() - n * interval '1 second' FROM generate_series(1, 20000) n`.execute(
    db,
  );
  await sql`INSERT INTO messages (thread_id, seq, role, content, run_id)
    SELECT id, 1, 'user', 'q', id FROM threads WHERE tenant = ${tenant}`.execute(db);
  await sql`ANALYZE threads, messages`.execute(db);
  const rowsRead = await db.connection().execute(async (connection) => {
    const read = async () => {
      await sql`SELECT pg_stat_force_next_flush()`.execute(connection);
      const { rows } = await sql<{ count: string }>`SELECT idx_tup_read AS count FROM pg_stat_user_indexes
        WHERE indexrelname = 'threads_by_age'`.execute(connection);
      return Number(rows[0]?.count);
    };
    const before = await read();
    const [newest] = await listThreads(connection, tenant, { limit: 1 });
    expect(await listThreads(connection, tenant, { limit: 20, after: newest?.position })).toHaveLength(20);
    return (await read()) - before;
  });
  expect(rowsRead).toBeGreaterThanOrEqual(21);
  expect(rowsRead).toBeLessThan(100);
});
