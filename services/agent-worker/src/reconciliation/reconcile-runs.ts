import type { RunEvent, RunOutcome } from '@quire/shared/contracts';
import {
  ATTEMPT_BEFORE_FIRST,
  findRun,
  finishRun,
  overdueAt,
  overdueOutcome,
  unfinishedRuns,
  type Database,
  type UnfinishedRun,
} from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import type { FairOrder, JobQueue, JobState } from '@quire/shared/jobs';
import { Fenced, lastPositionAfter, type RunLog } from '@quire/shared/run-log';
import { timeBudgets } from '@quire/shared/time';

export interface ReconcileDependencies {
  db: Database;
  queue: Pick<JobQueue<'chat'>, 'add' | 'remove' | 'statesOf'>;
  fairOrder: Pick<FairOrder, 'assign'>;
  runLog: RunLog;
}

export interface ReconcileObserver {
  onReconciled(runId: string, action: Reconciliation): void;
  /** The next pass tries the run again. */
  onFailed(runId: string, error: unknown): void;
}

export type Reconciliation = 'enqueued_again' | 'given_up' | 'overdue';

const PAGE = 500;

/**
 * Makes the queue agree with Postgres: an unfinished run without a job is enqueued again, one whose job has failed for
 * good is ended as failed, one whose deadline has passed is closed. Every step is idempotent and may run in several
 * processes at once; the signal ends the pass between two runs.
 */
export async function reconcileRuns(
  deps: ReconcileDependencies,
  { onReconciled, onFailed }: ReconcileObserver,
  signal?: AbortSignal,
): Promise<void> {
  // The gateway enqueues a younger run itself.
  const olderThanMs = timeBudgets.run.leftToGatewayMs;
  let after: UnfinishedRun | undefined;
  for (;;) {
    const page = await unfinishedRuns(deps.db, { olderThanMs, after, limit: PAGE });
    if (page.length === 0) return;
    const states = await deps.queue.statesOf(page.map(({ id }) => id));
    for (const [i, run] of page.entries()) {
      if (signal?.aborted) return;
      try {
        const action = await reconcile(deps, run, states[i] ?? 'pending');
        if (action) onReconciled(run.id, action);
      } catch (error) {
        // A store that is away would fail the remaining runs too.
        if (classifyError(error).retryable && !isLockedOut(error)) throw error;
        onFailed(run.id, error);
      }
    }
    after = page.at(-1);
  }
}

/** The statement waited too long for a lock on the run's row, and Postgres has cancelled it. */
function isLockedOut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}

async function reconcile(
  deps: ReconcileDependencies,
  run: UnfinishedRun,
  jobState: JobState,
): Promise<Reconciliation | undefined> {
  if (Date.now() > overdueAt(run))
    return (await end(deps, run, overdueOutcome(run.id))) ? 'overdue' : undefined;
  if (jobState === 'pending') return undefined;
  // The run may have ended, or been deleted, since the page was read.
  const present = await findRun(deps.db, run.id);
  if (!present || present.outcome) return undefined;
  if (jobState === 'failed') return (await end(deps, run, givenUpOutcome(run.id))) ? 'given_up' : undefined;
  if (jobState === 'completed') await deps.queue.remove(run.id);
  return (await enqueueAgain(deps, run)) ? 'enqueued_again' : undefined;
}

/** Returns false if another process has enqueued the run and a worker has claimed it already. */
async function enqueueAgain(
  { queue, fairOrder, runLog }: ReconcileDependencies,
  run: UnfinishedRun,
): Promise<boolean> {
  const { priority, ahead } = await fairOrder.assign(run.tenant);
  if (run.attempt === ATTEMPT_BEFORE_FIRST && !(await runLog.lastEntry(run.id))) {
    // The log was lost with the job, or never written: it starts with `queued` like every other.
    const queued: RunEvent = { type: 'queued', data: { request_id: run.id, position: ahead + 1 } };
    try {
      const shown = lastPositionAfter(Date.now() - run.acceptedAt.getTime());
      await runLog.append(run.id, ATTEMPT_BEFORE_FIRST, [queued], shown);
    } catch (error) {
      if (error instanceof Fenced) return false;
      throw error;
    }
  }
  await queue.add(run.id, { run_id: run.id, deadline_at: run.deadlineAt.getTime() }, priority);
  return true;
}

/** Returns false if another process has ended the run. */
async function end(
  { db, runLog }: ReconcileDependencies,
  run: UnfinishedRun,
  outcome: RunOutcome,
): Promise<boolean> {
  if (!(await finishRun(db, run.id, outcome))) return false;
  const { attempt } = (await findRun(db, run.id)) ?? run;
  await runLog.announce(run.id, attempt, outcome);
  return true;
}

function givenUpOutcome(runId: string): RunOutcome {
  const message = 'The run could not be executed and is not retried';
  return { type: 'failed', data: { request_id: runId, error_code: 'INTERNAL', message } };
}
