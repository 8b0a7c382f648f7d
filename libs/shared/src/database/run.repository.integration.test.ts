import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-for-test.js';
import { cancelledEvent, completedEvent, failedEvent } from '../../test/run-events.js';
import { newRun } from '../../test/runs.js';
import type { Database } from './database.js';
import {
  standingOf,
  claimRun,
  findRun,
  finishRun,
  insertRuns,
  requestCancel,
  type NewRun,
} from './run.repository.js';

let db: Database;
let closeDatabase: () => Promise<void>;
let run: NewRun;

beforeAll(async () => {
  ({ db, close: closeDatabase } = await openTestDatabase());
});

afterAll(() => closeDatabase());

beforeEach(async () => {
  run = newRun();
  await insertRuns(db, [run]);
});

it('an accepted run is stored completely, with state queued and attempt 0', async () => {
  const full = newRun({
    tenant: 'acme',
    request: {
      message: 'Was heißt „URDF“? \u{1F916}',
      session_id: randomUUID(),
      top_k: 3,
      similarity_threshold: 0.25,
      selected_text: ' kept as it is \n',
      filters: { module: 'ros2' },
      metadata: { nested: [1, null, { deep: true }] },
      on_disconnect: 'cancel',
    },
  });
  await insertRuns(db, [full]);
  expect(await findRun(db, full.id)).toEqual({
    ...full,
    state: 'queued',
    attempt: 0,
    cancelRequested: false,
    abandoned: false,
    outcome: null,
  });
});

it('many runs can be accepted in one statement', async () => {
  const runs = Array.from({ length: 200 }, () => newRun());
  await insertRuns(db, runs);
  const found = await Promise.all(runs.map(({ id }) => findRun(db, id)));
  expect(found.map((each) => each?.request)).toEqual(runs.map(({ request }) => request));
});

it('a batch with the id of an existing run is refused as a whole', async () => {
  const other = newRun();
  await expect(insertRuns(db, [other, run])).rejects.toThrow('duplicate key');
  expect(await findRun(db, other.id)).toBeUndefined();
});

it('findRun returns undefined for an unknown id', async () => {
  expect(await findRun(db, randomUUID())).toBeUndefined();
  expect(await claimRun(db, randomUUID())).toBeUndefined();
  expect(await finishRun(db, randomUUID(), failedEvent(randomUUID()))).toBe(false);
});

it('each claim raises the attempt', async () => {
  expect(await claimRun(db, run.id)).toEqual({
    ...run,
    state: 'retrieving',
    attempt: 1,
    cancelRequested: false,
    abandoned: false,
    outcome: null,
  });
  expect(await claimRun(db, run.id)).toMatchObject({ attempt: 2 });
});

it('concurrent claims get different attempts', async () => {
  const claims = await Promise.all(Array.from({ length: 20 }, () => claimRun(db, run.id)));
  const attempts = claims.map((claim) => claim?.attempt ?? 0);
  expect(attempts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
});

it('a claim of a run that has ended is refused and keeps the outcome', async () => {
  await finishRun(db, run.id, completedEvent(run.id));
  const ended = await findRun(db, run.id);
  expect(await claimRun(db, run.id)).toBeUndefined();
  expect(await findRun(db, run.id)).toEqual(ended);
});

it.each([completedEvent, failedEvent, cancelledEvent])(
  'a finished run has its state and outcome: %o',
  async (ending) => {
    await claimRun(db, run.id);
    expect(await finishRun(db, run.id, ending(run.id), 1)).toBe(true);
    expect(await findRun(db, run.id)).toMatchObject({
      state: ending(run.id).type,
      outcome: ending(run.id),
    });
  },
);

it('only the attempt that owns a run can finish it', async () => {
  await claimRun(db, run.id);
  await claimRun(db, run.id);
  expect(await finishRun(db, run.id, failedEvent(run.id), 1)).toBe(false);
  expect(await finishRun(db, run.id, failedEvent(run.id), 3)).toBe(false);
  expect(await findRun(db, run.id)).toMatchObject({ state: 'retrieving', outcome: null });
  expect(await finishRun(db, run.id, completedEvent(run.id), 2)).toBe(true);
});

it('concurrent attempts to finish a run succeed once', async () => {
  await claimRun(db, run.id);
  const endings = [completedEvent(run.id), failedEvent(run.id), cancelledEvent(run.id)];
  const finished = await Promise.all(
    Array.from({ length: 12 }, (_, n) => finishRun(db, run.id, endings[n % 3] ?? failedEvent(run.id), 1)),
  );
  expect(finished.filter(Boolean)).toHaveLength(1);
  const winner = endings[finished.indexOf(true) % 3];
  expect((await findRun(db, run.id))?.outcome).toEqual(winner);
  expect(await finishRun(db, run.id, failedEvent(run.id))).toBe(false);
  expect((await findRun(db, run.id))?.outcome).toEqual(winner);
});

it('finishRun without an attempt ends a run whether it was claimed or not', async () => {
  const claimed = newRun();
  await insertRuns(db, [claimed]);
  await claimRun(db, claimed.id);
  expect(await finishRun(db, run.id, failedEvent(run.id))).toBe(true);
  expect(await finishRun(db, claimed.id, failedEvent(claimed.id))).toBe(true);
  expect(await finishRun(db, claimed.id, completedEvent(claimed.id), 1)).toBe(false);
});

it('a run that was finished in a rolled back transaction is unfinished', async () => {
  const rolledBack = db.transaction().execute(async (transaction) => {
    expect(await finishRun(transaction, run.id, completedEvent(run.id))).toBe(true);
    throw new Error('no commit');
  });
  await expect(rolledBack).rejects.toThrow('no commit');
  expect(await findRun(db, run.id)).toMatchObject({ state: 'queued', outcome: null });
  expect(await claimRun(db, run.id)).toMatchObject({ attempt: 1 });
});

const requestedAt = async () =>
  (await db.selectFrom('runs').selectAll().where('id', '=', run.id).executeTakeFirstOrThrow())
    .cancel_requested_at;

it('a requested cancellation is visible to readers and claims, and does not end the run', async () => {
  expect(await requestCancel(db, run.id)).toMatchObject({ id: run.id, attempt: 0, cancelRequested: true });
  expect(await findRun(db, run.id)).toMatchObject({ cancelRequested: true, outcome: null });
  expect(await claimRun(db, run.id)).toMatchObject({ attempt: 1, cancelRequested: true });
});

it('requesting a cancellation again changes nothing', async () => {
  await requestCancel(db, run.id);
  const first = await requestedAt();
  expect(first).not.toBeNull();
  expect(await requestCancel(db, run.id)).toMatchObject({ cancelRequested: true });
  expect(await requestedAt()).toEqual(first);
});

it('requesting a cancellation does not change a run that has ended', async () => {
  await finishRun(db, run.id, completedEvent(run.id));
  expect(await requestCancel(db, run.id)).toBeUndefined();
  expect(await requestCancel(db, randomUUID())).toBeUndefined();
  expect(await findRun(db, run.id)).toMatchObject({ state: 'completed', cancelRequested: false });
});

it('standingOf reports cancelled runs, and runs that others have claimed or ended', async () => {
  const others = [newRun(), newRun(), newRun()] as const;
  await insertRuns(db, others);
  await requestCancel(db, run.id);
  await claimRun(db, others[0].id);
  await finishRun(db, others[1].id, completedEvent(others[1].id));
  const standing = await standingOf(db, [run.id, others[0].id, others[1].id, randomUUID()]);
  const untouched = { attempt: 0, cancelRequested: false, hasEnded: false };
  expect(new Map(standing.map((each) => [each.id, each]))).toEqual(
    new Map([
      [run.id, { ...untouched, id: run.id, cancelRequested: true }],
      [others[0].id, { ...untouched, id: others[0].id, attempt: 1 }],
      [others[1].id, { ...untouched, id: others[1].id, hasEnded: true }],
    ]),
  );
});
