import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-for-test.js';
import { completedEvent, failedEvent } from '../../test/run-events.js';
import { newRun } from '../../test/runs.js';
import type { RunOutcome } from '../contracts/run-event.contract.js';
import type { AnswerMode } from '../contracts/chat-response.contract.js';
import { insertApiKey, rotateApiKey, type ApiKeyRights } from './api-key.repository.js';
import type { Database } from './database.js';
import { feedbackByDay, feedbackByMode, newestComments } from './feedback-report.repository.js';
import { giveFeedback } from './feedback.repository.js';
import { finishRun, insertRuns } from './run.repository.js';

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

async function run(outcomeOf?: (runId: string) => RunOutcome): Promise<string> {
  const accepted = newRun({ tenant });
  await insertRuns(db, [accepted]);
  if (outcomeOf) await finishRun(db, accepted.id, outcomeOf(accepted.id));
  return accepted.id;
}
const give = (runId: string, rating: 'up' | 'down', comment?: string, caller = 'web') =>
  giveFeedback(db, { runId, tenant, caller, rating, comment });
const stored = (runId: string) =>
  db
    .selectFrom('feedback')
    .select(['rating', 'comment'])
    .where('run_id', '=', runId)
    .orderBy('caller')
    .execute();

it('later feedback of a caller on an answer replaces earlier feedback', async () => {
  const runId = await run(completedEvent);
  const first = await give(runId, 'down', 'Wrong page');
  expect(first).toMatchObject({ rating: 'down', comment: 'Wrong page' });
  const second = await give(runId, 'up');
  expect(second).toMatchObject({ rating: 'up', comment: null, createdAt: first?.createdAt });
  expect(second?.updatedAt.getTime()).toBeGreaterThanOrEqual(first?.updatedAt.getTime() ?? 0);
  expect(await stored(runId)).toEqual([{ rating: 'up', comment: null }]);
});

it("feedback of one caller does not change another caller's", async () => {
  const runId = await run(completedEvent);
  await give(runId, 'down', 'Wrong page');
  await give(runId, 'up', undefined, 'cli');
  await give(runId, 'down', 'Wrong book', 'web');
  expect(await stored(runId)).toEqual([
    { rating: 'up', comment: null },
    { rating: 'down', comment: 'Wrong book' },
  ]);
});

it('concurrent feedback of one caller is stored once', async () => {
  const runId = await run(completedEvent);
  await Promise.all(Array.from({ length: 10 }, (_, n) => give(runId, n % 2 ? 'up' : 'down')));
  expect(await stored(runId)).toHaveLength(1);
});

it("feedback on another tenant's answer is refused", async () => {
  const mine = await run(completedEvent);
  const others = {
    runId: mine,
    tenant: 'intruder',
    caller: 'web',
    rating: 'down',
    comment: undefined,
  } as const;
  expect(await giveFeedback(db, others)).toBeUndefined();
  for (const runId of [randomUUID(), await run(), await run(failedEvent)]) {
    expect(await give(runId, 'up')).toBeUndefined();
    expect(await stored(runId)).toEqual([]);
  }
  expect(await stored(mine)).toEqual([]);
});

it('feedback on an answer that is being deleted is refused', async () => {
  const runId = await run(completedEvent);
  let given: ReturnType<typeof give> | undefined;
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('runs').where('id', '=', runId).execute();
    given = give(runId, 'up');
    await sql`SELECT pg_sleep(0.2)`.execute(transaction);
  });
  expect(await given).toBeUndefined();
});

const answered = (mode: AnswerMode) => (runId: string) => {
  const outcome = completedEvent(runId);
  if (outcome.type === 'completed') outcome.data.metadata.mode = mode;
  return outcome;
};
const rated = async (mode: AnswerMode, rating: 'up' | 'down', day: string, comment?: string) => {
  const runId = await run(answered(mode));
  await give(runId, rating, comment);
  await sql`UPDATE feedback SET updated_at = ${`${day}T23:30:00Z`} WHERE run_id = ${runId}`.execute(db);
  return runId;
};

it('the feedback report counts by day and by mode, for the given tenant and time', async () => {
  await rated('full', 'up', '2026-11-10');
  await rated('full', 'down', '2026-11-11');
  await rated('full', 'up', '2026-11-11');
  await rated('retrieval_only', 'down', '2026-11-11');
  await rated('full', 'up', '2026-10-01');
  const scope = { since: new Date('2026-11-01'), tenant };
  expect(await feedbackByDay(db, scope)).toEqual([
    { day: '2026-11-10', up: 1, down: 0 },
    { day: '2026-11-11', up: 1, down: 2 },
  ]);
  expect(await feedbackByMode(db, scope)).toEqual([
    { mode: 'full', up: 2, down: 1 },
    { mode: 'retrieval_only', up: 0, down: 1 },
  ]);
  expect(await feedbackByMode(db, { ...scope, tenant: 'nobody' })).toEqual([]);
});

it('the feedback report names a caller by its newest key', async () => {
  const key = (prefix: string) => ({ prefix: `${prefix}-${tenant}`, hash: Buffer.alloc(32) });
  const rights: ApiKeyRights = {
    tenant,
    name: 'web',
    scopes: ['chat'],
    ratePerMinute: null,
    maxConcurrent: null,
    expiresAt: null,
  };
  const { prefix, callerId } = await insertApiKey(db, rights, key('old'));
  const other = await insertApiKey(db, rights, key('other'));
  const rotated = await rotateApiKey(db, prefix, key('new'), 0);
  expect(rotated?.made.callerId).toBe(callerId);
  const runId = await run(completedEvent);
  for (const caller of [callerId, other.callerId, 'local']) await give(runId, 'down', 'Bad', caller);
  const named = (await newestComments(db, { since: new Date(0), tenant }, 5)).map((each) => each.key);
  expect(named).toHaveLength(3);
  for (const one of [null, { name: 'web', prefix: `new-${tenant}` }, { name: 'web', prefix: other.prefix }])
    expect(named).toContainEqual(one);
});

it('the feedback report lists the newest comments first, with question and answer', async () => {
  await rated('full', 'up', '2026-11-10', 'Good');
  const newest = await rated('full', 'down', '2026-11-12', 'Bad');
  await rated('full', 'up', '2026-11-13');
  const scope = { since: new Date('2026-11-01'), tenant };
  expect(await newestComments(db, scope, 1)).toEqual([
    {
      requestId: newest,
      tenant,
      caller: 'web',
      key: null,
      rating: 'down',
      comment: 'Bad',
      question: 'How do nodes communicate?',
      mode: 'full',
      at: new Date('2026-11-12T23:30:00Z'),
    },
  ]);
  expect((await newestComments(db, scope, 5)).map(({ comment }) => comment)).toEqual(['Bad', 'Good']);
});
