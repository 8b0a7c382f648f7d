import { claimRun, finishRun, openDatabase } from '@quire/shared/database';
import { openWorker } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { RunLog } from '@quire/shared/run-log';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { completed } from '../gateway-under-test.js';
import { foundPassages, playRetrieval } from '../play-retrieval.js';

/** Plays both kinds of workers until the test is over: every question is answered at once. */
export function playWorkers({ redisUrl, databaseUrl }: { redisUrl: string; databaseUrl: string }): void {
  const logger = createLogger('test', 'silent');
  const db = openDatabase(databaseUrl, logger, 4);
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const runLog = new RunLog(redis);
  const worker = openWorker(
    'chat',
    async ({ run_id }) => {
      const run = await claimRun(db, run_id);
      if (!run) return { outcome: 'unknown' };
      const outcome = completed(run_id);
      await finishRun(db, run_id, outcome, run.attempt);
      await runLog.announce(run_id, run.attempt, outcome);
      return { outcome: outcome.type };
    },
    { connection: redis, concurrency: 20, logger, graceMs: 100 },
  );
  worker.start();
  playRetrieval(redisUrl, () => Promise.resolve(foundPassages()));
  onTestFinished(async () => {
    await worker.close();
    redis.disconnect();
    await db.destroy();
  });
}
