import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-for-test.js';
import { completedEvent } from '../../test/run-events.js';
import { newRun } from '../../test/runs.js';
import type { Database } from './database.js';
import { findRun, finishRun, insertRuns, requestCancel, type NewRun } from './run.repository.js';
import {
  abandonedRuns,
  keepWithoutClient,
  renewGrace,
  setAbandoned,
  unfinishedRuns,
  type UnfinishedRun,
} from './unfinished-run.repository.js';

let db: Database;
let closeDatabase: () => Promise<void>;
beforeAll(async () => {
  ({ db, close: closeDatabase } = await openTestDatabase());
});
afterAll(() => closeDatabase());
beforeEach(async () => {
  await db.deleteFrom('runs').execute();
});

const acceptedAgo = (ms: number) => newRun({ acceptedAt: new Date(Date.now() - ms) });
const accept = async (...runs: NewRun[]) => {
  await insertRuns(db, runs);
  for (const { id, acceptedAt } of runs)
    await db.updateTable('runs').set({ inserted_at: acceptedAt }).where('id', '=', id).execute();
  return runs.map(({ id }) => id);
};

it('unfinishedRuns returns pages of runs, oldest first, without younger ones and those that have ended', async () => {
  const sameMoment = new Date(Date.now() - 20_000);
  const twins = Array.from({ length: 5 }, () => newRun({ acceptedAt: sameMoment }));
  const [oldest, ended] = await accept(acceptedAgo(30_000), acceptedAgo(25_000), acceptedAgo(1000), ...twins);
  await finishRun(db, ended ?? '', completedEvent(ended ?? ''));
  const seen: string[] = [];
  let after: UnfinishedRun | undefined;
  for (;;) {
    const page = await unfinishedRuns(db, { olderThanMs: 5000, after, limit: 2 });
    if (page.length === 0) break;
    seen.push(...page.map(({ id }) => id));
    after = page.at(-1);
  }
  expect(seen).toEqual([oldest, ...twins.map(({ id }) => id).toSorted()]);
});

it('a run is abandoned until a client comes back, its cancellation is requested, or it ends', async () => {
  const [left = '', back = '', cancelled = '', ended = ''] = await accept(
    newRun(),
    newRun(),
    newRun(),
    newRun(),
    newRun(),
  );
  for (const id of [left, back, cancelled, ended]) await setAbandoned(db, id, true);
  await setAbandoned(db, back, false);
  await requestCancel(db, cancelled);
  await finishRun(db, ended, completedEvent(ended));
  expect(await abandonedRuns(db, { graceMs: 0, limit: 10 })).toEqual([{ id: left, isDue: true }]);
  expect(await abandonedRuns(db, { graceMs: 60_000, limit: 10 })).toEqual([{ id: left, isDue: false }]);
  // A run whose client has come back meanwhile is not abandoned again.
  await renewGrace(db, [left, back]);
  expect(await abandonedRuns(db, { graceMs: 0, limit: 10 })).toMatchObject([{ id: left }]);
  expect(await findRun(db, left)).toMatchObject({ abandoned: true });
  expect(await findRun(db, back)).toMatchObject({ abandoned: false });
});

it('a run that is kept without a client is not abandoned, not even by a later setAbandoned', async () => {
  const request = { ...newRun().request, on_disconnect: 'cancel' as const };
  const [kept = '', other = ''] = await accept(newRun({ request }), newRun({ request }));
  for (const id of [kept, other]) await setAbandoned(db, id, true);
  await keepWithoutClient(db, kept);
  expect(await findRun(db, kept)).toMatchObject({ abandoned: false });
  for (const id of [kept, other]) await setAbandoned(db, id, true);
  expect(await abandonedRuns(db, { graceMs: 0, limit: 10 })).toEqual([{ id: other, isDue: true }]);
  expect((await findRun(db, kept))?.request).toEqual({ ...request, on_disconnect: 'continue' });
});
