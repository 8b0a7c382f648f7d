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
import { createLogger, type Logger } from '@quire/shared/logging';
import { createTestDatabase, eventually, startTcpProxy } from '@quire/testkit';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { Withdrawals } from './withdrawals.js';

const logger = createLogger('test', 'silent');
const refusal = new DependencyUnavailable('STORAGE_UNAVAILABLE', 'The database is not reachable');

const cancelled = {
  type: 'cancelled',
  data: { tokens_used: { prompt: 1, completion: 1, total: 2 } },
} as const;

async function databaseForTest(): Promise<{ url: string; db: Database }> {
  const { url, drop } = await createTestDatabase();
  await migrate(url, logger);
  const db = openDatabase(url, logger, 4);
  onTestFinished(async () => {
    await db.destroy();
    await drop();
  });
  return { url, db };
}

function withdrawalsOn(db: Database, log: Logger = logger): Withdrawals {
  const withdrawals = new Withdrawals(db, log);
  withdrawals.lateRowCheck.start();
  onTestFinished(() => withdrawals.lateRowCheck.stop());
  return withdrawals;
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

it('the log warns of a refused run that has ended otherwise before it could be closed', async () => {
  const { db } = await databaseForTest();
  const lines: string[] = [];
  const withdrawals = withdrawalsOn(db, createLogger('test', 'info', { write: (line) => lines.push(line) }));
  const run = newRun();
  await insertRuns(db, [run]);
  await db.transaction().execute(async (worker) => {
    await finishRun(worker, run.id, { ...cancelled, data: { ...cancelled.data, request_id: run.id } });
    expect(await withdrawals.withdraw(run, refusal)).toBe('unknown');
    // The first try to close the row, and the periodic one.
    await eventually(async () => expect(await waitingForLocks(db)).toBe(2));
  });
  await eventually(() => expect(lines).toHaveLength(1));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', run_id: run.id });
  expect(await findRun(db, run.id)).toMatchObject({ state: 'cancelled' });
});

it('a row that appears late and is executing is closed, unless a key leads its caller back to it', async () => {
  const { db } = await databaseForTest();
  const withdrawals = withdrawalsOn(db);
  const unnamed = newRun();
  const named = { ...newRun(), idempotency: { key: 'mine', bodyHash: 'hash' } };
  for (const run of [named, unnamed]) expect(await withdrawals.withdraw(run, refusal)).toBe('unknown');
  await db.transaction().execute(async (transaction) => {
    await insertRuns(transaction, [named, unnamed]);
    for (const { id } of [named, unnamed]) await claimRun(transaction, id);
  });
  await eventually(async () => expect(await findRun(db, unnamed.id)).toMatchObject({ state: 'failed' }));
  expect(await findRun(db, named.id)).toMatchObject({ outcome: null });
});

it('rows of refused runs are closed once Postgres is back, also those that appear late, and no others', async () => {
  const { url, db } = await databaseForTest();
  const proxy = await startTcpProxy(url);
  const cutOff = openDatabase(proxy.url, logger, 2);
  onTestFinished(async () => {
    await cutOff.destroy();
    await proxy.close();
  });
  const withdrawals = withdrawalsOn(cutOff);
  const [early, late, accepted] = [newRun(), newRun(), newRun()];
  await insertRuns(db, [early, accepted]);
  await proxy.cut();
  for (const run of [early, late]) expect(await withdrawals.withdraw(run, refusal)).toBe('unknown');
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
  const later = newRun();
  await withdrawals.withdraw(later, refusal);
  await insertRuns(db, [later]);
  await eventually(async () => expect(await findRun(db, later.id)).toMatchObject({ state: 'failed' }));
  expect(await findRun(db, accepted.id)).toMatchObject({ outcome: null });
});
