import { appendTurn, claimRun, finishRun, type Database } from '@quire/shared/database';
import { openWorker } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { RunLog } from '@quire/shared/run-log';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { completed } from '../gateway-under-test.js';
import { foundPassages, playRetrieval } from '../play-retrieval.js';
import { aTurn } from '../thread-turns.js';

/** Plays both kinds of workers until the end of the test: every question is answered at once, in its thread. */
export function playWorkers(redisUrl: string, db: Database): void {
  const logger = createLogger('test', 'silent');
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const runLog = new RunLog(redis);
  const worker = openWorker(
    'chat',
    async ({ run_id }) => {
      const run = await claimRun(db, run_id);
      if (!run) return { outcome: 'unknown' };
      const outcome = completed(run_id);
      const { message: question, session_id: threadId } = run.request;
      const turn = aTurn({ threadId, tenant: run.tenant, runId: run_id, question });
      const isKept = await db.transaction().execute(async (transaction) => {
        const isOurs = await finishRun(transaction, run_id, outcome, run.attempt);
        if (isOurs) await appendTurn(transaction, turn);
        return isOurs;
      });
      if (isKept) await runLog.announce(run_id, run.attempt, outcome);
      return { outcome: outcome.type };
    },
    { connection: redis, concurrency: 20, logger, graceMs: 100 },
  );
  worker.start();
  playRetrieval(redisUrl, () => Promise.resolve(foundPassages()));
  onTestFinished(async () => {
    await worker.close();
    redis.disconnect();
  });
}
