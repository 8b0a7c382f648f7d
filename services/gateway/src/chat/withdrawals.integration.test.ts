import { randomUUID } from 'node:crypto';
import {
  claimRun,
  findRun,
  finishRun,
  insertRuns,
  migrate,
  openDatabase,
  type Database,
  type NewRun,
} from '@quire/shared/database';
import { DependencyUnavailable } from '@quire/shared/errors';
import { createLogger } from '@quire/shared/logging';
import { createTestDatabase, eventually, startTcpProxy } from '@quire/testkit';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { refusedOutcome, Withdrawals } from './withdrawals.js';

const logger = createLogger('test', 'silent');
const refusal = new DependencyUnavailable('STORAGE_UNAVAILABLE', 'The database is not reachable');

const refused = ({ id }: NewRun) => refusedOutcome(id, refusal);

const cancelled = {
  type: 'cancelled',
  data: { tokens_used: { prompt: 1, completion: 1, total: 2 } },
} as const;

async function databaseForTest(): Promise<{ url: string; db: Database }> {
  const { url, drop } = await createTestDatabase();
  await migrate(url, logger);
  const db = openDatabase(url, logger, 3);
  onTestFinished(async () => {
    await db.destroy();
    await drop();
  });
  return { url, db };
}

async function waitingForLocks(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count;
}

function newRun(): NewRun {
  const request = { message: 'Hi', session_id: randomUUID(), top_k: 5 };
  return { id: randomUUID(), tenant: 'local', request, acceptedAt: new Date(), deadlineAt: new Date() };
}

it('says so when a row that turned up was ended by another', async () => {
  const { db } = await databaseForTest();
  const lines: string[] = [];
  const withdrawals = new Withdrawals(
    db,
    createLogger('test', 'info', { write: (line) => lines.push(line) }),
  );
  const run = newRun();
  await insertRuns(db, [run]);
  await db.transaction().execute(async (worker) => {
    await finishRun(worker, run.id, { ...cancelled, data: { ...cancelled.data, request_id: run.id } });
    withdrawals.add(run, refused(run));
    await eventually(async () => expect(await waitingForLocks(db)).toBe(1));
  });
  await eventually(() => expect(lines).toHaveLength(1));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', run_id: run.id });
  expect(await findRun(db, run.id)).toMatchObject({ state: 'cancelled' });
});

it('a row that turns up under way is closed, unless a key leads its caller back to it', async () => {
  const { db } = await databaseForTest();
  const withdrawals = new Withdrawals(db, logger);
  const unnamed = newRun();
  const named = { ...newRun(), idempotency: { key: 'mine', bodyHash: 'hash' } };
  await insertRuns(db, [named, unnamed]);
  for (const run of [named, unnamed]) {
    await claimRun(db, run.id);
    withdrawals.add(run, refused(run));
  }
  await eventually(async () => expect(await findRun(db, unnamed.id)).toMatchObject({ state: 'failed' }));
  expect(await findRun(db, named.id)).toMatchObject({ outcome: null });
});

it('rows of refused runs are closed when they turn up, those of others are left alone', async () => {
  const { url, db } = await databaseForTest();
  const proxy = await startTcpProxy(url);
  const cutOff = openDatabase(proxy.url, logger, 2);
  onTestFinished(async () => {
    await cutOff.destroy();
    await proxy.close();
  });
  const withdrawals = new Withdrawals(cutOff, logger);
  const [early, late, accepted] = [newRun(), newRun(), newRun()];
  await insertRuns(db, [early, accepted]);
  await proxy.cut();
  for (const run of [early, late]) withdrawals.add(run, refused(run));
  await insertRuns(db, [late]);
  await proxy.restore();
  await eventually(async () => {
    for (const { id } of [early, late]) {
      expect(await findRun(db, id)).toMatchObject({
        state: 'failed',
        outcome: { type: 'failed', data: { request_id: id, error_code: 'STORAGE_UNAVAILABLE' } },
      });
    }
  });
  const tooLate = newRun();
  withdrawals.add(tooLate, refused(tooLate));
  await insertRuns(db, [tooLate]);
  await eventually(async () => expect(await findRun(db, tooLate.id)).toMatchObject({ state: 'failed' }));
  expect(await findRun(db, accepted.id)).toMatchObject({ outcome: null });
});
