import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-for-test.js';
import { newRun } from '../../test/runs.js';
import type { Database } from './database.js';
import { findRunByKey, freeKey, IDEMPOTENCY_KEY_HOURS } from './idempotency.repository.js';
import { findRun, insertRuns } from './run.repository.js';

let db: Database;
let closeDatabase: () => Promise<void>;
beforeAll(async () => {
  ({ db, close: closeDatabase } = await openTestDatabase());
});
afterAll(() => closeDatabase());

const claimed = (key: string, change: Parameters<typeof newRun>[0] = {}) =>
  newRun({ idempotency: { key, bodyHash: 'hash' }, acceptedAt: new Date(), ...change });

it('an idempotency key names one run, even among runs of one statement', async () => {
  const runs = [claimed('once'), claimed('once'), claimed('other')];
  const accepted = await insertRuns(db, runs);
  expect(accepted).toEqual(new Set([runs[0]?.id, runs[2]?.id]));
  expect(await insertRuns(db, [claimed('once')])).toEqual(new Set());
  expect(await findRun(db, runs[1]?.id ?? '')).toBeUndefined();
  expect(await findRunByKey(db, 'local', 'once')).toMatchObject({
    id: runs[0]?.id,
    idempotency: { key: 'once', bodyHash: 'hash' },
  });
});

it('two tenants may use the same idempotency key', async () => {
  const [mine, theirs] = [claimed('mine'), claimed('mine', { tenant: 'acme' })];
  expect((await insertRuns(db, [mine, theirs])).size).toBe(2);
  expect((await findRunByKey(db, 'acme', 'mine'))?.id).toBe(theirs.id);
  expect(await findRunByKey(db, 'nobody', 'mine')).toBeUndefined();
});

it('an expired idempotency key names no run and can be used again', async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const young = claimed('young', { acceptedAt: hoursAgo(IDEMPOTENCY_KEY_HOURS - 0.1) });
  const old = claimed('old', { acceptedAt: hoursAgo(IDEMPOTENCY_KEY_HOURS + 0.1) });
  await insertRuns(db, [young, old]);
  expect((await findRunByKey(db, 'local', 'young'))?.id).toBe(young.id);
  expect(await findRunByKey(db, 'local', 'old')).toBeUndefined();
  expect((await insertRuns(db, [claimed('old')])).size).toBe(1);
});

it('a freed idempotency key can be used again, and its former run is kept', async () => {
  const run = claimed('again');
  await insertRuns(db, [run]);
  await freeKey(db, run.id);
  expect(await findRunByKey(db, 'local', 'again')).toBeUndefined();
  expect((await findRun(db, run.id))?.id).toBe(run.id);
  expect((await insertRuns(db, [claimed('again')])).size).toBe(1);
});
