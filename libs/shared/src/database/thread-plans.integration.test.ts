import { createTestDatabase } from '@quire/testkit';
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../test/silent-logger.js';
import { ACTIVE_MESSAGES } from '../contracts/thread.contract.js';
import type { Database, Tables } from './database.js';
import { archiveIdleThreads } from './idle-thread.repository.js';
import { migrate } from './migrate.js';
import { openThread } from './open-thread.repository.js';
import { deleteThread } from './thread-deletion.repository.js';
import { listThreads } from './thread-list.repository.js';
import { changeMetadata } from './thread-metadata.repository.js';
import { threadSessionId } from './thread-owner.js';
import { findTopic, saveTopic } from './thread-summary.repository.js';
import { recentExchanges } from './thread.repository.js';

const THREADS = 50_000;
const THREADS_OF_TENANT = 500;
const MESSAGES_EACH = 20;
const LONG_THREAD = 200;
const TENANT = 'tenant-7';

let db: Database;
let drop: () => Promise<void>;
let executed: CompiledQuery[] = [];
let threadId: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  // Without the time limits of `openDatabase`.
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void executed.push(query),
  });
  await migrate(database.url, silentLogger);
  await fill();
});

afterAll(async () => {
  await db.destroy();
  await drop();
});

/**
 * 500 threads for each of 100 tenants, each with a session_id that a second tenant uses too; the thread of the tests is
 * longer than the others.
 */
async function fill(): Promise<void> {
  // Foreign keys hold by construction; checking a million of them takes most of the time.
  await sql`SET session_replication_role = replica`.execute(db);
  await sql`
    INSERT INTO threads (id, tenant, session_id, message_count, updated_at, archived_at)
    SELECT md5(n::text)::uuid, 'tenant-' || n % 100, CASE n % 2 WHEN 1 THEN md5((n - 1)::text)::uuid END,
      CASE n WHEN 7 THEN ${LONG_THREAD}::integer ELSE ${MESSAGES_EACH}::integer END, now() - n * interval '1 minute',
      CASE WHEN n > 60 THEN now() END
    FROM generate_series(1, ${THREADS}::integer) n`.execute(db);
  await sql`
    INSERT INTO messages (thread_id, seq, role, content, run_id)
    SELECT threads.id, seq, CASE seq % 2 WHEN 1 THEN 'user' ELSE 'assistant' END, 'How do nodes talk?', threads.id
    FROM threads, generate_series(1, message_count) seq`.execute(db);
  await sql`
    INSERT INTO runs (id, tenant, session_id, request, accepted_at, deadline_at)
    SELECT id, tenant, coalesce(session_id, id), '{}', now(), now() FROM threads`.execute(db);
  await sql`
    INSERT INTO model_usage (run_id, attempt, model, tenant, calls, prompt_tokens, completion_tokens, estimated)
    SELECT id, 1, 'flash', tenant, 1, 1, 1, false FROM threads`.execute(db);
  await sql`SET session_replication_role = DEFAULT`.execute(db);
  await sql`ANALYZE`.execute(db);
  const looked = db.selectFrom('threads').select(threadSessionId.as('sessionId'));
  const { sessionId } = await looked.where('message_count', '=', LONG_THREAD).executeTakeFirstOrThrow();
  threadId = sessionId;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** The plans of the statements that `work` runs, flattened. */
async function plansOf(work: () => Promise<unknown>): Promise<PlanNode[]> {
  executed = [];
  await work();
  const statements = executed.filter(({ sql: text }) => !/^(begin|start|commit|rollback)/i.test(text));
  expect(statements.length).toBeGreaterThan(0);
  const nodes: PlanNode[] = [];
  for (const { sql: text, parameters } of statements) {
    const explained = `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`;
    const plan = await rolledBack((open) =>
      open.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        CompiledQuery.raw(explained, [...parameters]),
      ),
    );
    const root = plan.rows[0]?.['QUERY PLAN'][0].Plan;
    if (root) nodes.push(...flattened(root));
  }
  return nodes;
}

const flattened = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flattened)];

class Undone extends Error {}

async function rolledBack<T>(work: (open: Database) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  await db
    .transaction()
    .execute(async (transaction) => {
      result = { value: await work(transaction) };
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  if (!result) throw new Error('nothing was done');
  return result.value;
}

const kinds = (nodes: PlanNode[]) => nodes.map((node) => node['Node Type']);
const indexes = (nodes: PlanNode[]) => new Set(nodes.flatMap((node) => node['Index Name'] ?? []));

function expectIndexed(nodes: PlanNode[], most: number): void {
  expect(kinds(nodes)).not.toContain('Seq Scan');
  for (const node of nodes) {
    expect(node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(most);
  }
}

it('the tables of these tests have the stated size', async () => {
  const count = await db
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count.count)).toBeGreaterThan(1_000_000);
});

it('opening a thread reads only the messages that are returned', async () => {
  for (const [includeArchived, shown] of [
    [false, ACTIVE_MESSAGES],
    [true, LONG_THREAD],
  ] as const) {
    const nodes = await plansOf(() => openThread(db, { threadId, tenant: TENANT }, { includeArchived }));
    expectIndexed(nodes, shown);
    expect(indexes(nodes)).toEqual(new Set(['threads_by_session', 'messages_pkey']));
  }
});

it("a page of a tenant's threads reads one page, even at the end of the list", async () => {
  const first = await plansOf(() => listThreads(db, TENANT, { limit: 20 }));
  const all = await listThreads(db, TENANT, { limit: THREADS });
  expect(all).toHaveLength(THREADS_OF_TENANT);
  // In the middle: near the end so few rows are left that sorting them is cheap.
  const behind = { limit: 20, after: all.at(THREADS_OF_TENANT / 2)?.position };
  for (const nodes of [first, await plansOf(() => listThreads(db, TENANT, behind))]) {
    expectIndexed(nodes, 20);
    expect(kinds(nodes).filter((kind) => kind.includes('Sort'))).toEqual([]);
    expect(indexes(nodes)).toContain('threads_by_age');
  }
});

it('the recent exchanges of a thread are read from its end, without archived messages', async () => {
  const nodes = await plansOf(() => recentExchanges(db, { threadId, tenant: TENANT }, 5));
  expectIndexed(nodes, ACTIVE_MESSAGES);
});

it('a thread is found by an index of tenant and session_id', async () => {
  const owner = { threadId, tenant: TENANT };
  const lookUp = async (open: Database) => {
    await findTopic(open, owner);
    await saveTopic(open, owner, { summary: 'Nodes', messages: LONG_THREAD, createdAt: new Date() });
  };
  for (const nodes of [
    await plansOf(() => rolledBack(lookUp)),
    await plansOf(() => changeMetadata(db, owner, (present) => present)),
  ]) {
    expectIndexed(nodes, 1);
    expect(indexes(nodes)).toContain('threads_by_session');
  }
});

it('the sweep of idle threads reads active threads only', async () => {
  const nodes = await plansOf(() =>
    rolledBack((open) => archiveIdleThreads(open, { idleMs: 3_500_000, limit: 1000 })),
  );
  expectIndexed(nodes, 10);
  expect(indexes(nodes)).toContain('threads_in_use');
});

it('deleting a thread finds its runs and messages by index', async () => {
  const nodes = await plansOf(() => rolledBack((open) => deleteThread(open, { threadId, tenant: TENANT })));
  expect(
    nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
  ).toEqual([]);
  expect(indexes(nodes)).toContain('runs_by_thread');
});
