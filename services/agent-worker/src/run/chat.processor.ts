import { randomBytes } from 'node:crypto';
import { RunCancelled, type Cancellations } from '@quire/shared/cancellation';
import type { RunOutcome } from '@quire/shared/contracts';
import { claimRun, findRun, recentExchanges, spentBefore, type Run } from '@quire/shared/database';
import { classifyError, DeadlineExceeded, DependencyUnavailable } from '@quire/shared/errors';
import {
  FinalFailure,
  type JobContext,
  type JobHandler,
  type JobQueue,
  type Turns,
} from '@quire/shared/jobs';
import type { Logger } from '@quire/shared/logging';
import { withLinkedSignal } from '@quire/shared/process';
import type { RetrievalClient } from '@quire/shared/retrieval';
import { Fenced, MOST_SHOWN_WAITING, RunEnded, RunLogWriter, type RunLog } from '@quire/shared/run-log';
import { timeBudgets } from '@quire/shared/time';
import type { ModelPrices } from '../accounting/model-prices.js';
import { plus, UsageMeter } from '../accounting/usage-meter.js';
import type { ModelChain } from '../generation/model-chain.js';
import { FALLBACK_MESSAGE, type Answer } from '../response/answer.js';
import { buildResponse } from '../response/build-response.js';
import { requestSummary } from '../summary/request-summary.js';
import { answerFromBook } from './answer-from-book.js';
import { answerFromSelection } from './answer-from-selection.js';
import type { AnswerSettings } from './answering.js';
import {
  bookUnfinished,
  conclude,
  concludeOrBook,
  failedOutcome,
  type EndDependencies,
  type Execution,
} from './end-execution.js';
import { soonAfterAbort } from './soon-after-abort.js';

const HISTORY_EXCHANGES = 5;
const FENCE_KEY_BYTES = 6;
/** A Postgres that hangs must not hold up the hand-back; what is booked or committed then goes on beside it. */
const HAND_BACK_LIMIT_MS = timeBudgets.stop.runHandBackMs;

export interface ChatProcessorDependencies extends EndDependencies {
  runLog: RunLog;
  retrieval: Pick<RetrievalClient, 'search'>;
  cancellations: Pick<Cancellations, 'listen'>;
  /** Cancels a run that its client has left, if its grace is over and nobody follows it; answers whether. */
  cancelIfLeft(runId: string): Promise<boolean>;
  turns: Pick<Turns, 'begun'>;
  chain: ModelChain;
  prices: ModelPrices;
  summaryQueue: Pick<JobQueue<'summary'>, 'add'>;
  settings: AnswerSettings;
  logger: Logger;
}

/** Executes a run: claim, answer, commit, announce. Every way out leaves the run ended, or to be tried again. */
export function chatProcessor(deps: ChatProcessorDependencies): JobHandler<'chat'> {
  const execution: JobHandler<'chat'> = async ({ run_id }, context) => {
    // Not worth waiting for: the next run to begin says it as well.
    deps.turns.begun(context.priority).catch(() => {});
    // Before the claim reads whether the run is still wanted, so that no cancel falls in between.
    const cancel = deps.cancellations.listen(run_id);
    try {
      const run = await claimRun(deps.db, run_id);
      if (!run) return { outcome: await announceStanding(deps, run_id) };
      cancel.claimedAs(run.attempt);
      const outcome = await settle(deps, begin(deps, run, context.signal), context, cancel.signal);
      return { outcome: outcome.type };
    } catch (error) {
      const isFenced = error instanceof Fenced;
      if (!isFenced && !(error instanceof RunEnded)) throw error;
      const run = await findRun(deps.db, run_id);
      // Deleted with its thread: there is nothing left to end.
      if (!run) return { outcome: 'deleted' };
      if (isFenced && !run.outcome) throw superseded(error);
      throw error;
    } finally {
      cancel.release();
    }
  };
  return (payload, context) =>
    soonAfterAbort(context.signal, HAND_BACK_LIMIT_MS, execution(payload, context));
}

/**
 * Retryable, because there may be no successor: its worker has died, or its claim came late and nobody heard the answer. Where
 * there is one it holds the job's lock, and the queue does not hear us.
 */
function superseded(cause: Fenced): DependencyUnavailable {
  return new DependencyUnavailable('STORAGE_UNAVAILABLE', 'A later attempt has claimed the run', { cause });
}

function begin(deps: ChatProcessorDependencies, run: Run, stopping: AbortSignal): Execution {
  return {
    run,
    startedAt: Date.now(),
    meter: new UsageMeter(deps.prices),
    writer: new RunLogWriter(deps.runLog, run.id, run.attempt, { shownBefore: MOST_SHOWN_WAITING }),
    log: deps.logger.child({ request_id: run.id, attempt: run.attempt }),
    stopping,
  };
}

async function settle(
  deps: ChatProcessorDependencies,
  execution: Execution,
  context: JobContext,
  cancelled: AbortSignal,
): Promise<RunOutcome> {
  const { run, meter } = execution;
  try {
    const isUnwanted = run.cancelRequested || (run.abandoned && (await deps.cancelIfLeft(run.id)));
    if (isUnwanted) throw new RunCancelled(run.id);
    return await execute(deps, execution, context, cancelled);
  } catch (error) {
    if (error instanceof RunCancelled) {
      return await concludeOrBook(deps, execution, async () => {
        const tokens_used = plus(await spentBefore(deps.db, run), meter.total);
        return { type: 'cancelled', data: { request_id: run.id, tokens_used } };
      });
    }
    const isOver = context.signal.aborted || error instanceof Fenced || error instanceof RunEnded;
    const { retryable, code } = classifyError(error);
    // Retrieval has had its own tries; everything else that is only away for a while is tried again.
    const isTriedAgain = retryable && code !== 'RETRIEVAL_UNAVAILABLE' && !context.lastTry;
    if (isOver || isTriedAgain) {
      await bookUnfinished(deps, execution);
      throw error;
    }
    await concludeOrBook(deps, execution, () => failedOutcome(run, error));
    throw new FinalFailure(error);
  }
}

async function execute(
  deps: ChatProcessorDependencies,
  execution: Execution,
  context: JobContext,
  cancelled: AbortSignal,
): Promise<RunOutcome> {
  const { run, writer, log, meter, startedAt } = execution;
  const left = run.deadlineAt.getTime() - startedAt;
  if (left <= 0) throw new DeadlineExceeded();
  const deadline = AbortSignal.timeout(left);
  if (run.attempt > 1) {
    const data = { request_id: run.id, attempt: run.attempt, reason: 'taken_over' };
    await writer.emit({ type: 'reset', data });
  }
  const thread = { threadId: run.request.session_id, tenant: run.tenant };
  const history = await recentExchanges(deps.db, thread, HISTORY_EXCHANGES);
  let answer: Answer;
  try {
    const sources = [context.signal, deadline, writer.supersededSignal, cancelled];
    answer = await withLinkedSignal(sources, (signal) => {
      const fenceKey = randomBytes(FENCE_KEY_BYTES).toString('hex');
      const answering = { ...deps, run, history, writer, log, meter, fenceKey, signal };
      const { selected_text: selection } = run.request;
      return selection === undefined ? answerFromBook(answering) : answerFromSelection(answering, selection);
    });
  } catch (error) {
    if (cancelled.aborted) throw cancelled.reason;
    if (writer.supersededSignal.aborted) throw writer.supersededSignal.reason;
    if (deadline.aborted) throw new DeadlineExceeded(undefined, { cause: error });
    throw error;
  }
  const response = buildResponse(execution, answer, new Date());
  const concluded = await conclude(
    deps,
    execution,
    { type: 'completed', data: response },
    {
      ...thread,
      runId: run.id,
      question: run.request.message,
      answer: answer.text ?? FALLBACK_MESSAGE,
      confidence: answer.confidence,
      confidenceLevel: answer.confidenceLevel,
      sources: answer.sources,
      retrievalCalls: answer.retrievalCalls,
    },
  );
  const { mode, timings_ms: timings, tokens_used: tokens } = response.metadata;
  log.info(
    { stage: 'agent', mode, model: answer.model, tokens, timings, latency_ms: timings.total },
    'Run ended',
  );
  if (concluded.thread && deps.chain.models.length > 0) {
    await requestSummary(deps.summaryQueue, thread, concluded.thread).catch((error: unknown) =>
      log.debug({ stage: 'agent', error }, 'The thread goes without a summary for now'),
    );
  }
  return concluded.outcome;
}

/** The run had ended before this job began: its end may have been committed, but not announced. */
async function announceStanding(deps: ChatProcessorDependencies, runId: string): Promise<string> {
  const run = await findRun(deps.db, runId);
  if (!run?.outcome) return 'unknown';
  await deps.runLog.announce(runId, run.attempt, run.outcome);
  return run.outcome.type;
}
