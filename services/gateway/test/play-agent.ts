import { Cancellations } from '@quire/shared/cancellation';
import type { RunOutcome, TokensUsed } from '@quire/shared/contracts';
import { claimRun, finishRun, standingOf, type Database } from '@quire/shared/database';
import { openWorker } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { untilAborted } from '@quire/shared/process';
import { RunLog } from '@quire/shared/run-log';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';

export interface PlayedAgent {
  /** Ids of the runs it has claimed. */
  readonly claimed: string[];
}

export const SPENT: TokensUsed = { prompt: 40, completion: 2, total: 42 };

/** Plays an agent worker that executes every run until it is cancelled, and then commits what it has spent. */
export async function playAgent(redisUrl: string, db: Database): Promise<PlayedAgent> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const subscriber = new Redis(redisUrl);
  const runLog = new RunLog(connection);
  const cancellations = new Cancellations(subscriber, { standingOf: (ids) => standingOf(db, ids) });
  const claimed: string[] = [];
  const worker = openWorker(
    'chat',
    async ({ run_id }, { signal }) => {
      const watch = cancellations.listen(run_id);
      try {
        const run = await claimRun(db, run_id);
        if (!run) return { outcome: 'unknown' };
        claimed.push(run_id);
        const cancelled = new Promise((resolve) => watch.signal.addEventListener('abort', resolve));
        if (!run.cancelRequested && !watch.signal.aborted) await untilAborted(signal, cancelled);
        const outcome: RunOutcome = { type: 'cancelled', data: { request_id: run_id, tokens_used: SPENT } };
        await finishRun(db, run_id, outcome, run.attempt);
        await runLog.announce(run_id, run.attempt, outcome);
        return { outcome: outcome.type };
      } finally {
        watch.release();
      }
    },
    { connection, concurrency: 10, logger: createLogger('test', 'silent'), graceMs: 0 },
  );
  await cancellations.start();
  worker.start();
  onTestFinished(async () => {
    await worker.close();
    connection.disconnect();
    subscriber.disconnect();
  });
  return { claimed };
}
