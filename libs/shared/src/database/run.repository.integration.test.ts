import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

describe('an accepted run', () => {
  it('is stored whole, queued and not yet tried', async () => {
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

  it('may arrive together with many others', async () => {
    const runs = Array.from({ length: 200 }, () => newRun());
    await insertRuns(db, runs);
    const found = await Promise.all(runs.map(({ id }) => findRun(db, id)));
    expect(found.map((each) => each?.request)).toEqual(runs.map(({ request }) => request));
  });

  it('is accepted once: of a batch with a known id nothing is stored', async () => {
    const other = newRun();
    await expect(insertRuns(db, [other, run])).rejects.toThrow('duplicate key');
    expect(await findRun(db, other.id)).toBeUndefined();
  });

  it('is not found under an id that nobody accepted', async () => {
    expect(await findRun(db, randomUUID())).toBeUndefined();
    expect(await claimRun(db, randomUUID())).toBeUndefined();
    expect(await finishRun(db, randomUUID(), failedEvent(randomUUID()))).toBe(false);
  });
});

describe('claiming a run', () => {
  it('gives each execution a higher attempt', async () => {
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

  it('never gives two executions the same attempt', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimRun(db, run.id)));
    const attempts = claims.map((claim) => claim?.attempt ?? 0);
    expect(attempts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  it('is refused when the run has ended, and leaves the outcome alone', async () => {
    await finishRun(db, run.id, completedEvent(run.id));
    const ended = await findRun(db, run.id);
    expect(await claimRun(db, run.id)).toBeUndefined();
    expect(await findRun(db, run.id)).toEqual(ended);
  });
});

describe('finishing a run', () => {
  it.each([completedEvent, failedEvent, cancelledEvent])(
    'keeps its state and outcome: %o',
    async (ending) => {
      await claimRun(db, run.id);
      expect(await finishRun(db, run.id, ending(run.id), 1)).toBe(true);
      expect(await findRun(db, run.id)).toMatchObject({
        state: ending(run.id).type,
        outcome: ending(run.id),
      });
    },
  );

  it('is done by the attempt that owns it and by no other', async () => {
    await claimRun(db, run.id);
    await claimRun(db, run.id);
    expect(await finishRun(db, run.id, failedEvent(run.id), 1)).toBe(false);
    expect(await finishRun(db, run.id, failedEvent(run.id), 3)).toBe(false);
    expect(await findRun(db, run.id)).toMatchObject({ state: 'retrieving', outcome: null });
    expect(await finishRun(db, run.id, completedEvent(run.id), 2)).toBe(true);
  });

  it('happens once, however many try it at the same time', async () => {
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

  it('without an attempt ends a run that nobody has claimed, or whoever claimed it', async () => {
    const claimed = newRun();
    await insertRuns(db, [claimed]);
    await claimRun(db, claimed.id);
    expect(await finishRun(db, run.id, failedEvent(run.id))).toBe(true);
    expect(await finishRun(db, claimed.id, failedEvent(claimed.id))).toBe(true);
    expect(await finishRun(db, claimed.id, completedEvent(claimed.id), 1)).toBe(false);
  });

  it('in a transaction that is rolled back has not happened', async () => {
    const rolledBack = db.transaction().execute(async (transaction) => {
      expect(await finishRun(transaction, run.id, completedEvent(run.id))).toBe(true);
      throw new Error('no commit');
    });
    await expect(rolledBack).rejects.toThrow('no commit');
    expect(await findRun(db, run.id)).toMatchObject({ state: 'queued', outcome: null });
    expect(await claimRun(db, run.id)).toMatchObject({ attempt: 1 });
  });
});

describe('asking for a run to be cancelled', () => {
  const requestedAt = async () =>
    (await db.selectFrom('runs').selectAll().where('id', '=', run.id).executeTakeFirstOrThrow())
      .cancel_requested_at;

  it('is seen by whoever reads or claims the run, and does not end it', async () => {
    expect(await requestCancel(db, run.id)).toMatchObject({ id: run.id, attempt: 0, cancelRequested: true });
    expect(await findRun(db, run.id)).toMatchObject({ cancelRequested: true, outcome: null });
    expect(await claimRun(db, run.id)).toMatchObject({ attempt: 1, cancelRequested: true });
  });

  it('a second time changes nothing', async () => {
    await requestCancel(db, run.id);
    const first = await requestedAt();
    expect(first).not.toBeNull();
    expect(await requestCancel(db, run.id)).toMatchObject({ cancelRequested: true });
    expect(await requestedAt()).toEqual(first);
  });

  it('leaves a run alone that has ended', async () => {
    await finishRun(db, run.id, completedEvent(run.id));
    expect(await requestCancel(db, run.id)).toBeUndefined();
    expect(await requestCancel(db, randomUUID())).toBeUndefined();
    expect(await findRun(db, run.id)).toMatchObject({ state: 'completed', cancelRequested: false });
  });

  it('is found among the runs of a process, as are those that others have begun or ended', async () => {
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
});
