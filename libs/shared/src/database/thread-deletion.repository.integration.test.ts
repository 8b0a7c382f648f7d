import { randomUUID } from 'node:crypto';
import { eventually } from '@quire/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-for-test.js';
import { completedEvent } from '../../test/run-events.js';
import { newRun, newTurn } from '../../test/runs.js';
import type { Database } from './database.js';
import { giveFeedback } from './feedback.repository.js';
import { claimRun, findRun, finishRun, insertRuns } from './run.repository.js';
import { deleteThread, unfinishedRunsOf } from './thread-deletion.repository.js';
import { threadSessionId } from './thread-owner.js';
import { appendTurn } from './thread.repository.js';
import { recordUsage } from './usage.repository.js';

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

const remove = (tenant = 'local') =>
  db.transaction().execute((transaction) => deleteThread(transaction, { threadId, tenant }));

async function accept(tenant = 'local'): Promise<string> {
  const run = newRun({ tenant, request: { message: 'Hi', session_id: threadId, top_k: 5 } });
  await insertRuns(db, [run]);
  return run.id;
}

async function finish(runId: string, transaction = db, tenant = 'local'): Promise<boolean> {
  if (!(await finishRun(transaction, runId, completedEvent(runId)))) return false;
  await appendTurn(transaction, newTurn(threadId, { runId, tenant }));
  return true;
}

const rowsOf = async (table: 'messages' | 'feedback' | 'model_usage', runId: string) =>
  db.selectFrom(table).select('run_id').where('run_id', '=', runId).execute();
const threads = () => db.selectFrom('threads').select('id').where('id', '=', threadId).execute();

it('deleting a thread deletes its messages, runs and feedback, and keeps its spend under random ids', async () => {
  const [first, second] = [await accept(), await accept()];
  for (const runId of [first, second]) await finish(runId);
  const tenant = randomUUID();
  const tokens = { prompt: 7, completion: 1, total: 8 };
  const spent = [{ model: 'flash', calls: 1, tokens, estimated: false, costUsd: 0.5 }];
  await recordUsage(db, { id: first, attempt: 1, tenant }, spent);
  await recordUsage(db, { id: first, attempt: 2, tenant }, spent);
  await giveFeedback(db, { runId: second, tenant: 'local', caller: 'web', rating: 'up', comment: undefined });

  const deleted = await remove();
  expect(deleted?.map(({ id }) => id).sort()).toEqual([first, second].sort());
  expect(await threads()).toEqual([]);
  for (const runId of [first, second]) {
    expect(await findRun(db, runId)).toBeUndefined();
    for (const table of ['messages', 'feedback', 'model_usage'] as const) {
      expect(await rowsOf(table, runId)).toEqual([]);
    }
  }
  const booked = await db.selectFrom('model_usage').selectAll().where('tenant', '=', tenant).execute();
  expect(booked.map(({ prompt_tokens, cost_usd }) => [prompt_tokens, cost_usd])).toEqual([
    [7, 0.5],
    [7, 0.5],
  ]);
});

it.each([
  ['began it first', ['local', 'acme']],
  ['began it last', ['acme', 'local']],
])(
  "deleting a thread of a tenant that %s keeps another tenant's thread with the same session_id",
  async (_, order) => {
    for (const tenant of order) await finish(await accept(tenant), db, tenant);
    const [mine, theirs] = [await accept(), await accept('acme')];
    expect(await unfinishedRunsOf(db, { threadId, tenant: 'local' })).toEqual([mine]);
    expect(await remove('umbrella')).toBeUndefined();
    expect(await remove()).toHaveLength(2);
    expect(await findRun(db, mine)).toBeUndefined();
    expect(await findRun(db, theirs)).toBeDefined();
    const left = db.selectFrom('threads').innerJoin('messages', 'messages.thread_id', 'threads.id');
    expect(await left.select(['tenant', 'seq']).where(threadSessionId, '=', threadId).execute()).toEqual([
      { tenant: 'acme', seq: 1 },
      { tenant: 'acme', seq: 2 },
    ]);
    expect(await remove('acme')).toHaveLength(2);
  },
);

it('deleting a thread that does not exist, or was deleted before, returns undefined', async () => {
  expect(await remove()).toBeUndefined();
  await finish(await accept());
  expect(await remove()).toHaveLength(1);
  expect(await remove()).toBeUndefined();
});

it('a thread with nothing but a run under way can be deleted, and the run cannot create it again', async () => {
  const runId = await accept();
  await claimRun(db, runId);
  expect(await unfinishedRunsOf(db, { threadId, tenant: 'local' })).toEqual([runId]);
  expect(await unfinishedRunsOf(db, { threadId, tenant: 'intruder' })).toEqual([]);
  expect(await remove()).toEqual([{ id: runId, attempt: 1, endedAt: null }]);
  expect(await finish(runId)).toBe(false);
  expect(await threads()).toEqual([]);
});

/** A transaction that has done its work, and a function that commits it. */
async function heldOpen(work: (transaction: Database) => Promise<unknown>): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let committed: Promise<void> | undefined;
  await new Promise<void>((done, failed) => {
    committed = db.transaction().execute(async (transaction) => {
      await work(transaction);
      done();
      await released;
    });
    committed.catch(failed);
  });
  return async () => {
    release();
    await committed;
  };
}

it('a deletion waits for a turn that is being committed, and deletes it', async () => {
  const runId = await accept();
  const commit = await heldOpen((transaction) => finish(runId, transaction));
  const deletion = remove();
  await eventually(async () => expect((await waitingForLocks()).rows).toHaveLength(1));
  await commit();
  expect(await deletion).toMatchObject([{ id: runId, endedAt: expect.any(Date) }]);
  expect(await threads()).toEqual([]);
  expect(await rowsOf('messages', runId)).toEqual([]);
});

it('a deletion also deletes a turn that was committed while it waited', async () => {
  const slow = await accept();
  const commit = await heldOpen((transaction) => finishRun(transaction, slow, completedEvent(slow)));
  const deletion = remove();
  await eventually(async () => expect((await waitingForLocks()).rows).toHaveLength(1));
  const quick = await accept();
  await finish(quick);
  await commit();
  expect((await deletion)?.map(({ id }) => id)).toEqual([slow, quick]);
  expect(await findRun(db, quick)).toBeUndefined();
  expect(await threads()).toEqual([]);
});

it('deletions among commits leave complete turns or nothing, and no run of a deleted turn', async () => {
  for (let round = 0; round < 5; round += 1) {
    const runs = await Promise.all(Array.from({ length: 8 }, () => accept()));
    const commits = runs.map((id) => db.transaction().execute((transaction) => finish(id, transaction)));
    await Promise.all([...commits, remove(), remove()]);
    const left = await db.selectFrom('messages').selectAll().where('thread_id', '=', threadId).execute();
    for (const { run_id } of left) expect(await findRun(db, run_id)).toBeDefined();
    const finished = await Promise.all(runs.map((id) => findRun(db, id)));
    expect(left).toHaveLength(2 * finished.filter((run) => run?.outcome).length);
    await remove();
  }
});

const waitingForLocks = () =>
  sql`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`.execute(
    db,
  );
