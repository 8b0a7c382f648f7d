import { announceCancel } from '@quire/shared/cancellation';
import type { Cancellation, RunOutcome } from '@quire/shared/contracts';
import { finishRun, requestCancel, type Run } from '@quire/shared/database';
import type { JobQueue } from '@quire/shared/jobs';
import { withLinkedSignal } from '@quire/shared/process';
import { timeBudgets } from '@quire/shared/time';
import type { Redis } from 'ioredis';
import type { RedisAccess } from '../redis-access.js';
import { closeIfOverdue } from './close-if-overdue.js';
import { runEvents, type FollowDependencies } from './run-events.js';

export interface CancelDependencies extends FollowDependencies {
  redis: Redis;
  redisAccess: RedisAccess;
  queue: Pick<JobQueue<'chat'>, 'remove'>;
}

/** How long the worker that executes the run may take to confirm. */
const CONFIRMATION_MS = timeBudgets.run.cancelConfirmMs;

/**
 * Cancels a run and returns how it ended. The request is stored before Redis is needed: a worker that misses the message
 * finds it in the row. A run that has ended is left alone.
 */
export async function cancelRun(
  deps: CancelDependencies,
  runId: string,
  signal: AbortSignal,
): Promise<Cancellation> {
  const run = await requestCancel(deps.db, runId);
  if (run) {
    deps.redisAccess.require();
    if (!(await cancelBeforeExecution(deps, run))) await askWorker(deps, run, signal);
  }
  const stored = await closeIfOverdue(deps.db, runId);
  return stored?.outcome ? describeEnd(stored.outcome) : { request_id: runId, state: 'cancelling' };
}

/**
 * Ends a run that no worker has claimed: nothing was spent. One that waits for a retry is left to the worker that claims
 * it, since only workers know what was spent.
 */
async function cancelBeforeExecution(deps: CancelDependencies, run: Run): Promise<boolean> {
  if (run.attempt > 0) return false;
  const tokens_used = { prompt: 0, completion: 0, total: 0 };
  const outcome: RunOutcome = { type: 'cancelled', data: { request_id: run.id, tokens_used } };
  if (!(await finishRun(deps.db, run.id, outcome, run.attempt))) return false;
  // If either fails: a worker that gets the job finds the run ended, and followers find the outcome in Postgres.
  await Promise.allSettled([deps.queue.remove(run.id), deps.runLog.announce(run.id, run.attempt, outcome)]);
  return true;
}

/** Resolves when the run has ended, or after CONFIRMATION_MS. */
async function askWorker(deps: CancelDependencies, run: Run, signal: AbortSignal): Promise<void> {
  await announceCancel(deps.redis, run.id);
  await withLinkedSignal([signal, AbortSignal.timeout(CONFIRMATION_MS)], async (limited) => {
    const last = await deps.runLog.lastEntry(run.id);
    for await (const _ of runEvents(deps, run, last ? last.seq - 1 : 0, limited));
  });
}

function describeEnd({ type, data }: RunOutcome): Cancellation {
  const { request_id } = data;
  if (type === 'failed') return { request_id, state: type, tokens_used: null };
  const tokens_used = type === 'cancelled' ? data.tokens_used : data.metadata.tokens_used;
  return { request_id, state: type, tokens_used };
}
