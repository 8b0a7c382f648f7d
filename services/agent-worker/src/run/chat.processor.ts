import { RunCancelled, type Cancellations } from '@quire/shared/cancellation';
import type { RunOutcome } from '@quire/shared/contracts';
import { claimRun, findRun, spentBefore, type Database } from '@quire/shared/database';
import { classifyError, Superseded } from '@quire/shared/errors';
import {
  FinalFailure,
  type JobContext,
  type JobHandler,
  type JobQueue,
  type JobResult,
  type FairOrder,
} from '@quire/shared/jobs';
import { untilAborted } from '@quire/shared/process';
import { Fenced, RunEnded } from '@quire/shared/run-log';
import { timeBudgets, within } from '@quire/shared/time';
import { plus } from '../accounting/usage-meter.js';
import { FALLBACK_MESSAGE } from '../response/answer.js';
import { buildResponse } from '../response/build-response.js';
import { requestSummary } from '../summary/request-summary.js';
import { answerQuestion } from './answer-question.js';
import type { AnswerDependencies } from './answering.js';
import { bookSpend, commitRun, type Committed, type Ending } from './commit-run.js';
import { openExecution, type Execution, type ExecutionDependencies } from './execution.js';
import type { ServiceTime } from './service-time.js';

export interface ChatProcessorDependencies extends ExecutionDependencies, AnswerDependencies {
  cancellations: Pick<Cancellations, 'listen'>;
  fairOrder: Pick<FairOrder, 'started'>;
  serviceTime: ServiceTime;
  summaryQueue: Pick<JobQueue<'summary'>, 'add'>;
}

export function chatProcessor(deps: ChatProcessorDependencies): JobHandler<'chat'> {
  return async ({ run_id }, context) => {
    const work = executeRun(deps, run_id, context);
    await untilAborted(context.signal, work).catch(() => {});
    // A Postgres that hangs must not delay handing the job back; a commit under way continues in the background.
    const result = await within(timeBudgets.stop.runHandBackMs, work);
    if (!result) throw context.signal.reason as Error;
    return result;
  };
}

/** Claim, answer, commit, announce. Afterwards the run has ended, or the thrown error has its job retried. */
async function executeRun(
  deps: ChatProcessorDependencies,
  runId: string,
  context: JobContext,
): Promise<JobResult<'chat'>> {
  // Not awaited: the next run that starts reports the same.
  deps.fairOrder.started(context.priority).catch(() => {});
  // Before the claim, which reads whether the run is cancelled: no cancellation is missed in between.
  const cancel = deps.cancellations.listen(runId);
  try {
    const run = await claimRun(deps.db, runId);
    if (!run) return { outcome: await announceStored(deps, runId) };
    cancel.claimedAs(run.attempt);
    const execution = openExecution(deps, run);
    try {
      const outcome = await execute(deps, execution, context, cancel.signal);
      return { outcome: outcome.type };
    } catch (error) {
      // A `FinalFailure` follows a commit, which has booked the spend.
      if (!(error instanceof FinalFailure)) await bookSpend(deps.db, execution);
      throw error;
    } finally {
      deps.metrics.spent(run.tenant, execution.meter.spent);
    }
  } catch (error) {
    const isFenced = error instanceof Fenced;
    if (!isFenced && !(error instanceof RunEnded)) throw error;
    const run = await findRun(deps.db, runId);
    if (!run) return { outcome: 'deleted' };
    throw isFenced && !run.outcome ? new Superseded({ cause: error }) : error;
  } finally {
    cancel.release();
  }
}

/** The run had ended before this job: its outcome was committed, but perhaps not announced. */
async function announceStored(deps: ChatProcessorDependencies, runId: string): Promise<string> {
  const run = await findRun(deps.db, runId);
  if (!run?.outcome) return 'unknown';
  await deps.runLog.announce(runId, run.attempt, run.outcome);
  return run.outcome.type;
}

async function execute(
  deps: ChatProcessorDependencies,
  execution: Execution,
  context: JobContext,
  cancelled: AbortSignal,
): Promise<RunOutcome> {
  const { run, thread, log } = execution;
  try {
    const answer = await answerQuestion(deps, execution, context.signal, cancelled);
    const response = buildResponse({ ...execution, answer, now: new Date() });
    const { message: question } = run.request;
    const ending = {
      outcome: { type: 'completed', data: response },
      turn: { ...answer, ...thread, runId: run.id, question, answer: answer.text ?? FALLBACK_MESSAGE },
    } as const;
    const committed = await endRun(deps, execution, ending, context.signal);
    const { mode, timings_ms: timings, tokens_used: tokens } = response.metadata;
    log.info(
      { stage: 'agent', mode, model: answer.model, tokens, timings, latency_ms: timings.total },
      'Run ended',
    );
    if (committed.thread && deps.chain.models.length > 0) {
      await requestSummary(deps.summaryQueue, thread, committed.thread).catch((error: unknown) =>
        log.debug({ stage: 'agent', error }, 'Topic summary not requested'),
      );
    }
    return committed.outcome;
  } catch (error) {
    const outcome = await outcomeOf(error, deps.db, execution, context);
    const committed = await endRun(deps, execution, { outcome }, context.signal);
    if (outcome.type === 'failed') throw new FinalFailure(error);
    return committed.outcome;
  }
}

/** Commits, announces, measures. */
async function endRun(
  { db, metrics, serviceTime }: ChatProcessorDependencies,
  execution: Execution,
  ending: Ending,
  stopping: AbortSignal,
): Promise<Committed> {
  const { run, writer, startedAt } = execution;
  const committed = await commitRun(db, execution, ending, stopping);
  try {
    await writer.emit(committed.outcome);
  } catch (error) {
    // Another process has announced the outcome.
    if (!(error instanceof RunEnded)) throw error;
  }
  // A run that was cancelled, or was overdue before it started, does not show how long one takes.
  const isRepresentative = ending.outcome.type !== 'cancelled' && startedAt < run.deadlineAt.getTime();
  if (isRepresentative) serviceTime.record(Date.now() - startedAt);
  const { type, data } = committed.outcome;
  metrics.runEnded(type === 'completed' ? data.metadata.mode : type);
  return committed;
}

/** The outcome of a run that an error ends; rethrows an error after which the run is executed again. */
async function outcomeOf(
  error: unknown,
  db: Database,
  { run, meter }: Execution,
  { signal: stopping, lastTry }: JobContext,
): Promise<RunOutcome> {
  if (error instanceof RunCancelled) {
    const tokens_used = plus(await spentBefore(db, run), meter.total);
    return { type: 'cancelled', data: { request_id: run.id, tokens_used } };
  }
  const { retryable, code, message, retryAfterSeconds } = classifyError(error);
  const isOver = stopping.aborted || error instanceof Fenced || error instanceof RunEnded;
  // Retrieval has been retried already; whatever else is away for a while is retried with the job.
  if (isOver || (retryable && code !== 'RETRIEVAL_UNAVAILABLE' && !lastTry)) throw error;
  return {
    type: 'failed',
    data: {
      request_id: run.id,
      error_code: code,
      message,
      ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
    },
  };
}
