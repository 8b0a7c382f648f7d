import { randomUUID } from 'node:crypto';
import { claimRun, findRun, insertRuns, migrate, openDatabase } from '@quire/shared/database';
import { createLogger } from '@quire/shared/logging';
import { RunLog, RunLogWriter } from '@quire/shared/run-log';
import { createTestDatabase, eventually, testRedisUrl } from '@quire/testkit';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { commitRun } from './commit-run.js';
import { openExecution } from './execution.js';

const NEVER = { ms: 3_600_000, characters: Number.POSITIVE_INFINITY };

it('commitRun has all text in the run log before it commits the outcome', async () => {
  const logger = createLogger('test', 'silent');
  const { url, drop } = await createTestDatabase();
  await migrate(url, logger);
  const db = openDatabase(url, logger, 3);
  const redis = new Redis(await testRedisUrl());
  onTestFinished(async () => {
    redis.disconnect();
    await db.destroy();
    await drop();
  });
  const id = randomUUID();
  const request = { message: 'Hi', session_id: randomUUID(), top_k: 5 };
  await insertRuns(db, [{ id, tenant: 'local', request, acceptedAt: new Date(), deadlineAt: new Date() }]);
  const run = await claimRun(db, id);
  if (!run) throw new Error('not claimed');
  const log = new RunLog(redis);
  const writer = new RunLogWriter(log, id, run.attempt, NEVER);
  const execution = { ...openExecution({ runLog: log, prices: {}, logger }, run), writer };
  for (const text of ['One', ' two', ' three']) writer.delta(text);
  const outcome = {
    type: 'cancelled',
    data: { request_id: id, tokens_used: { prompt: 0, completion: 0, total: 0 } },
  } as const;

  const started = await db.transaction().execute(async (transaction) => {
    // The lock keeps the commit waiting.
    await transaction.selectFrom('runs').select('id').where('id', '=', id).forUpdate().execute();
    const committing = commitRun(db, execution, { outcome }, new AbortController().signal);
    await eventually(async () => {
      const entries = await log.read(id, 0, 100);
      const texts = entries.map(({ data }) => (JSON.parse(data) as { text: string }).text);
      expect(texts.join('')).toBe('One two three');
    });
    return { committing };
  });
  expect(await started.committing).toEqual({ outcome });
  expect((await findRun(db, id))?.outcome).toEqual(outcome);
});
