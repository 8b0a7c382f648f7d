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
import type { JobQueue, Turns } from '@quire/shared/jobs';
import { Fenced, MOST_SHOWN_WAITING, type RunLog } from '@quire/shared/run-log';
import { timeBudgets } from '@quire/shared/time';

export interface ReconcileDependencies {
  db: Database;
  queue: Pick<JobQueue<'chat'>, 'add' | 'remove' | 'statesOf'>;
  turns: Pick<Turns, 'take'>;
  runLog: RunLog;
}

export interface ReconcileObserver {
  onReconciled(runId: string, what: Reconciliation): void;
  /** The run is looked at again in the next pass. */
  onFailed(runId: string, error: unknown): void;
}

export type Reconciliation = 'enqueued_again' | 'given_up' | 'overdue';

/** A gateway that has just written a run's row is about to enqueue it. */
const LEFT_TO_GATEWAY_MS = timeBudgets.run.leftToGatewayMs;
const PAGE = 500;

/**
 * Brings the queue in line with Postgres: a run without an outcome that the queue does not know is enqueued again, one
 * that the queue has given up is ended as failed, one whose time is over is closed. Everything here may be done twice,
 * and by several processes at once; the signal ends it between two runs.
 */
export async function reconcileRuns(
  deps: ReconcileDependencies,
  { onReconciled, onFailed }: ReconcileObserver,
  signal?: AbortSignal,
): Promise<void> {
  let after: UnfinishedRun | undefined;
  for (;;) {
    const page = await unfinishedRuns(deps.db, { olderThanMs: LEFT_TO_GATEWAY_MS, after, limit: PAGE });
    if (page.length === 0) return;
    const states = await deps.queue.statesOf(page.map(({ id }) => id));
    for (const [i, run] of page.entries()) {
      if (signal?.aborted) return;
      try {
        const what = await reconcile(deps, run, states[i] ?? 'pending');
        if (what) onReconciled(run.id, what);
      } catch (error) {
        // A store that is away is so for all of them.
        if (classifyError(error).retryable && !isLockedOut(error)) throw error;
        onFailed(run.id, error);
      }
    }
    after = page.at(-1);
  }
}

/** Postgres has answered, but the run's row is locked: it cancels a statement that waits for too long. */
function isLockedOut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}

async function reconcile(
  deps: ReconcileDependencies,
  run: UnfinishedRun,
  jobState: Awaited<ReturnType<ReconcileDependencies['queue']['statesOf']>>[number],
): Promise<Reconciliation | undefined> {
  if (Date.now() > overdueAt(run))
    return (await end(deps, run, overdueOutcome(run.id))) ? 'overdue' : undefined;
  if (jobState === 'pending') return undefined;
  // A run that has ended since the page was read has left the queue in the proper way; one may also be deleted.
  const present = await findRun(deps.db, run.id);
  if (!present || present.outcome) return undefined;
  if (jobState === 'failed') return (await end(deps, run, givenUpOutcome(run.id))) ? 'given_up' : undefined;
  if (jobState === 'completed') await deps.queue.remove(run.id);
  return (await enqueueAgain(deps, run)) ? 'enqueued_again' : undefined;
}

/** False when somebody else has enqueued it, and a worker has begun it already. */
async function enqueueAgain(
  { queue, turns, runLog }: ReconcileDependencies,
  run: UnfinishedRun,
): Promise<boolean> {
  const { priority, ahead } = await turns.take(run.tenant);
  if (run.attempt === ATTEMPT_BEFORE_FIRST && !(await runLog.lastEntry(run.id))) {
    // The log went with the job, or was never begun: the story starts as it always does.
    const queued: RunEvent = { type: 'queued', data: { request_id: run.id, position: ahead + 1 } };
    try {
      await runLog.append(run.id, ATTEMPT_BEFORE_FIRST, [queued], numbersShownBy(run));
    } catch (error) {
      if (error instanceof Fenced) return false;
      throw error;
    }
  }
  await queue.add(run.id, { run_id: run.id, deadline_at: run.deadlineAt.getTime() }, priority);
  return true;
}

/** More than a waiting run's clients can have been shown: it has far less than an event a millisecond. */
function numbersShownBy({ acceptedAt }: UnfinishedRun): number {
  return Math.min(Math.max(0, Date.now() - acceptedAt.getTime()), MOST_SHOWN_WAITING);
}

/** False when somebody else has ended it. */
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
  const message = 'The run was given up: it could not be executed';
  return { type: 'failed', data: { request_id: runId, error_code: 'INTERNAL', message } };
}
