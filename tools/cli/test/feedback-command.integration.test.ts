import { randomUUID } from 'node:crypto';
import {
  finishRun,
  giveFeedback,
  insertApiKey,
  insertRuns,
  migrate,
  openDatabase,
  type Database,
} from '@quire/shared/database';
import type { AnswerMode, Rating } from '@quire/shared/contracts';
import { createLogger } from '@quire/shared/logging';
import { createTestDatabase, type TestDatabase } from '@quire/testkit';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { startQuire } from './start-quire.js';

const DAY_MS = 24 * 3_600_000;
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, createLogger('test', 'silent'), 2);
  await migrate(database.url, createLogger('test', 'silent'));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
beforeEach(() => db.deleteFrom('runs').execute());

interface RatedAnswer {
  rating: Rating;
  mode?: AnswerMode;
  daysAgo?: number;
  comment?: string;
  tenant?: string;
  caller?: string;
}

async function rated({
  rating,
  mode = 'full',
  daysAgo = 0,
  comment,
  tenant = 'local',
  caller = 'local',
}: RatedAnswer): Promise<string> {
  const id = randomUUID();
  const session_id = randomUUID();
  const at = new Date();
  const request = { message: 'How do nodes\u001B[31m talk?', session_id, top_k: 5 };
  await insertRuns(db, [{ id, tenant, request, acceptedAt: at, deadlineAt: at }]);
  await finishRun(db, id, {
    type: 'completed',
    data: {
      request_id: id,
      session_id,
      query: request.message,
      answer: 'By topics.',
      sources: [],
      confidence: 0.8,
      confidence_level: 'high',
      should_answer: true,
      timestamp: at.toISOString(),
      metadata: {
        mode,
        low_confidence: false,
        retrieval_count: 3,
        model: 'scripted',
        tokens_used: { prompt: 1, completion: 2, total: 3 },
        timings_ms: { queued: 1, retrieval: 2, generation: 3, total: 6 },
        attempts: 1,
      },
    },
  });
  await giveFeedback(db, { runId: id, tenant, caller, rating, comment });
  const updated_at = new Date(Date.now() - daysAgo * DAY_MS);
  await db.updateTable('feedback').set({ updated_at }).where('run_id', '=', id).execute();
  return id;
}

const quire = async (...args: string[]) => {
  const env = { DATABASE_URL: database.url };
  const { exitCode, terminal } = startQuire({ args: ['feedback', ...args], env });
  return { exitCode: await exitCode, output: terminal.output, stdout: terminal.stdout };
};
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

it('quire feedback counts up and down, by day and by mode, with the newest comments', async () => {
  await rated({ rating: 'up', daysAgo: 1 });
  await rated({ rating: 'up' });
  await rated({ rating: 'up', comment: 'Exactly' });
  await rated({ rating: 'down', mode: 'retrieval_only', comment: 'No\u001B[2J answer', daysAgo: 1 });
  const { exitCode, output } = await quire();
  expect(exitCode).toBe(0);
  expect(output).toContain('4 ratings since');
  expect(output).toContain('3 up, 1 down, 75.0 % up');
  expect(output).toMatch(new RegExp(`${dayAgo(1)}\\D+1\\D+1\\D+50\\.0 %`));
  expect(output).toMatch(new RegExp(`${dayAgo(0)}\\D+2\\D+0\\D+100\\.0 %`));
  expect(output).toMatch(/full\D+3\D+0\D+100\.0 %/);
  expect(output).toMatch(/retrieval_only\D+0\D+1\D+0\.0 %/);
  expect(output).toMatch(/up, full: How do nodes.* talk\?\n {4}Exactly\n[\s\S]*down, retrieval_only/);
  expect(output).not.toContain('\u001B');
});

it('quire feedback shows the answer and the author of each comment', async () => {
  const rights = { scopes: [], ratePerMinute: null, maxConcurrent: null, expiresAt: null };
  const { callerId } = await insertApiKey(
    db,
    { tenant: 'acme', name: 'web site', ...rights },
    { prefix: 'qk_0a1b2c3d4e5f', hash: Buffer.alloc(32) },
  );
  const byKey = await rated({ rating: 'down', comment: 'Bad', tenant: 'acme', caller: callerId });
  const local = await rated({ rating: 'up', comment: 'Good' });
  const { output } = await quire();
  expect(output).toContain(`    Bad\n    acme, web site (qk_0a1b2c3d4e5f), request ${byKey}\n`);
  expect(output).toContain(`    Good\n    local, local, request ${local}\n`);
});

it('quire feedback --json prints one object, within the given days, comments and tenant', async () => {
  await rated({ rating: 'down', daysAgo: 8 });
  await rated({ rating: 'down', tenant: 'somebody-else', comment: 'Theirs' });
  await rated({ rating: 'up', comment: 'Older', daysAgo: 1 });
  const id = await rated({ rating: 'up', comment: 'Newest' });
  const { stdout } = await quire('--json', '--days', '7', '--comments', '1', '--tenant', 'local');
  const one = { up: 1, down: 0, share_up: 1 };
  expect(JSON.parse(stdout)).toEqual({
    since: expect.stringContaining(dayAgo(7)) as string,
    tenant: 'local',
    total: { up: 2, down: 0, share_up: 1 },
    by_day: [
      { day: dayAgo(1), ...one },
      { day: dayAgo(0), ...one },
    ],
    by_mode: [{ mode: 'full', up: 2, down: 0, share_up: 1 }],
    comments: [
      {
        request_id: id,
        tenant: 'local',
        caller: 'local',
        key: null,
        rating: 'up',
        mode: 'full',
        question: 'How do nodes\u001B[31m talk?',
        comment: 'Newest',
        at: expect.any(String) as string,
      },
    ],
  });
});

it('quire feedback prints that no answer was rated', async () => {
  expect(await quire()).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/^No answer was rated since [\d-]+\.\n$/) as string,
  });
  const { stdout } = await quire('--json');
  expect(JSON.parse(stdout)).toMatchObject({ total: { up: 0, down: 0, share_up: null }, comments: [] });
});

it.each([
  ['--days', '0'],
  ['--comments', 'many'],
  ['--since', 'yesterday'],
])('quire feedback %s %s ends with 2', async (...args) => {
  expect(await quire(...args)).toMatchObject({ exitCode: 2, stdout: '' });
});

it('quire feedback prints a sentence and ends with 1 when the database is away or has no tables of Quire', async () => {
  const empty = await createTestDatabase();
  onTestFinished(() => empty.drop());
  for (const [url, words] of [
    ['postgres://quire:hush@127.0.0.1:9/quire', 'Postgres does not answer'],
    [empty.url, 'start the services once'],
  ] as const) {
    const { exitCode, terminal } = startQuire({ args: ['feedback'], env: { DATABASE_URL: url } });
    expect(await exitCode).toBe(1);
    expect(terminal.output).toContain(words);
    expect(terminal.output).not.toContain('hush');
  }
});
