import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-for-test.js';
import { newTurn } from '../../test/runs.js';
import type { Database } from './database.js';
import { archiveIdleThreads } from './idle-thread.repository.js';
import { findThread } from './open-thread.repository.js';
import { appendTurn } from './thread.repository.js';

const HOUR = 3_600_000;
let db: Database;
let closeDatabase: () => Promise<void>;
beforeAll(async () => {
  ({ db, close: closeDatabase } = await openTestDatabase());
});
afterAll(() => closeDatabase());
beforeEach(() => db.deleteFrom('threads').execute());

async function threadUsedAgo(
  minutes: number,
  threadId: string = randomUUID(),
  tenant = 'local',
): Promise<string> {
  const { id } = await appendTurn(db, newTurn(threadId, { tenant }));
  await sql`UPDATE threads SET updated_at = now() - make_interval(mins => ${minutes}) WHERE id = ${id}`.execute(
    db,
  );
  return threadId;
}
const statusOf = async (threadId: string, tenant = 'local') =>
  (await findThread(db, { threadId, tenant }))?.status ?? 'gone';

it('a thread that was not used for an hour is archived, and one that was used is not', async () => {
  const [idle, used] = [await threadUsedAgo(61), await threadUsedAgo(59)];
  expect(await archiveIdleThreads(db, { idleMs: HOUR, limit: 10 })).toBe(1);
  expect([await statusOf(idle), await statusOf(used)]).toEqual(['archived', 'active']);
  expect(await archiveIdleThreads(db, { idleMs: HOUR, limit: 10 })).toBe(0);
});

it('a thread is archived although another tenant uses the same session_id', async () => {
  const id = await threadUsedAgo(59);
  await threadUsedAgo(61, id, 'acme');
  expect(await archiveIdleThreads(db, { idleMs: HOUR, limit: 10 })).toBe(1);
  expect([await statusOf(id), await statusOf(id, 'acme')]).toEqual(['active', 'archived']);
  await appendTurn(db, newTurn(id));
  expect(await statusOf(id, 'acme')).toBe('archived');
});

it('a new turn makes an archived thread active', async () => {
  const id = await threadUsedAgo(90);
  await archiveIdleThreads(db, { idleMs: HOUR, limit: 10 });
  await appendTurn(db, newTurn(id));
  expect(await statusOf(id)).toBe('active');
  expect(await archiveIdleThreads(db, { idleMs: HOUR, limit: 10 })).toBe(0);
});

it('a sweep archives at most `limit` threads, longest idle first', async () => {
  const [younger, older] = [await threadUsedAgo(70), await threadUsedAgo(80)];
  await db.transaction().execute(async (transaction) => {
    // The index returns them in order anyway.
    await sql`SET LOCAL enable_indexscan = off`.execute(transaction);
    await sql`SET LOCAL enable_bitmapscan = off`.execute(transaction);
    expect(await archiveIdleThreads(transaction, { idleMs: HOUR, limit: 1 })).toBe(1);
  });
  expect([await statusOf(older), await statusOf(younger)]).toEqual(['archived', 'active']);
});

it('concurrent sweeps archive each thread once', async () => {
  for (let n = 0; n < 40; n += 1) await threadUsedAgo(61);
  const sweeps = Array.from({ length: 6 }, () => archiveIdleThreads(db, { idleMs: HOUR, limit: 15 }));
  const taken = (await Promise.all(sweeps)).reduce((sum, count) => sum + count, 0);
  const left = await archiveIdleThreads(db, { idleMs: HOUR, limit: 100 });
  expect(taken + left).toBe(40);
});

it('a sweep skips a thread to which a turn is being written', async () => {
  const id = await threadUsedAgo(61);
  await db.transaction().execute(async (transaction) => {
    await appendTurn(transaction, newTurn(id));
    expect(await archiveIdleThreads(db, { idleMs: HOUR, limit: 10 })).toBe(0);
  });
  expect(await statusOf(id)).toBe('active');
});
