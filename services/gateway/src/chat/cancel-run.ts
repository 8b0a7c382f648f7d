import { announceCancel } from '@quire/shared/cancellation';
import type { Cancellation, RunOutcome } from '@quire/shared/contracts';
import { finishRun, requestCancel, type Run } from '@quire/shared/database';
import type { JobQueue } from '@quire/shared/jobs';
import { withLinkedSignal } from '@quire/shared/process';
import type { RedisPulse } from '@quire/shared/redis';
import { timeBudgets } from '@quire/shared/time';
import type { Redis } from 'ioredis';
import { queueUnavailable } from '../http/queue-unavailable.js';
import { runEvents, type FollowDependencies } from './run-events.js';
import { findSettledRun } from './settled-run.js';

export interface CancelDependencies extends FollowDependencies {
  redis: Redis;
  pulse: Pick<RedisPulse, 'isFelt'>;
  queue: Pick<JobQueue<'chat'>, 'remove'>;
}

/** How long the worker that executes the run may take to confirm. */
const CONFIRMATION_MS = timeBudgets.run.cancelConfirmMs;

/**
 * Cancels a run and answers how it ended. The wish is stored before Redis is needed: a worker that hears no message
 * finds it in the row. Never turns an end into another.
 */
export async function cancelRun(
  deps: CancelDependencies,
  runId: string,
  signal: AbortSignal,
): Promise<Cancellation> {
  const run = await requestCancel(deps.db, runId);
  if (run) {
    if (!deps.pulse.isFelt) throw queueUnavailable();
    if (!(await cancelBeforeExecution(deps, run))) await askWorker(deps, run, signal);
  }
  const settled = await findSettledRun(deps.db, runId);
  return settled?.outcome ? describeEnd(settled.outcome) : { request_id: runId, state: 'cancelling' };
}

/**
 * Ends a run that no worker has claimed: nothing was spent. One that waits for its next try is left to the worker
 * that will take it, for only workers know what was spent.
 */
async function cancelBeforeExecution(deps: CancelDependencies, run: Run): Promise<boolean> {
  if (run.attempt > 0) return false;
  const tokens_used = { prompt: 0, completion: 0, total: 0 };
  const outcome: RunOutcome = { type: 'cancelled', data: { request_id: run.id, tokens_used } };
  if (!(await finishRun(deps.db, run.id, outcome, run.attempt))) return false;
  // The end is stored: a worker that gets the job finds nothing to do, and followers are told by Postgres.
  await Promise.allSettled([deps.queue.remove(run.id), deps.runLog.announce(run.id, run.attempt, outcome)]);
  return true;
}

/** Returns when the run has ended, or when that takes too long. */
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
