import type { RunOutcome } from '@quire/shared/contracts';
import { claimRun, findRun, recentExchanges, type Database, type Run } from '@quire/shared/database';
import { classifyError, DeadlineExceeded } from '@quire/shared/errors';
import { FinalFailure, type JobContext, type JobHandler } from '@quire/shared/jobs';
import type { Logger } from '@quire/shared/logging';
import { withLinkedSignal } from '@quire/shared/process';
import type { RetrievalClient } from '@quire/shared/retrieval';
import { Fenced, RunEnded, RunLogWriter, type RunLog } from '@quire/shared/run-log';
import type { ChatModel } from '../generation/chat-model.js';
import { FALLBACK_MESSAGE, type Answer } from '../response/answer.js';
import { buildResponse } from '../response/build-response.js';
import { answerQuestion } from './answer-question.js';
import { concludeRun } from './conclude-run.js';

const HISTORY_EXCHANGES = 5;

export interface ChatProcessorDependencies {
  db: Database;
  runLog: RunLog;
  retrieval: Pick<RetrievalClient, 'search'>;
  models: readonly ChatModel[];
  retrievalTimeoutMs: number;
  logger: Logger;
}

/** Executes a run: claim, answer, commit, announce. Every way out leaves the run ended, or to be tried again. */
export function chatProcessor(deps: ChatProcessorDependencies): JobHandler<'chat'> {
  return async ({ run_id }, context) => {
    const run = await claimRun(deps.db, run_id);
    if (!run) return { outcome: await announceStanding(deps, run_id) };
    const log = deps.logger.child({ request_id: run_id, attempt: run.attempt });
    const writer = new RunLogWriter(deps.runLog, run_id, run.attempt);
    try {
      const outcome = await execute(deps, run, writer, log, context);
      return { outcome: outcome.type };
    } catch (error) {
      if (context.signal.aborted || error instanceof Fenced || error instanceof RunEnded) throw error;
      const { retryable, code } = classifyError(error);
      // Retrieval has had its own tries; everything else that is only away for a while is tried again.
      if (retryable && code !== 'RETRIEVAL_UNAVAILABLE' && !context.lastTry) throw error;
      await concludeRun(deps.db, writer, run, failedOutcome(run, error));
      throw new FinalFailure(error);
    }
  };
}

async function execute(
  deps: ChatProcessorDependencies,
  run: Run,
  writer: RunLogWriter,
  log: Logger,
  context: JobContext,
): Promise<RunOutcome> {
  const startedAt = Date.now();
  const left = run.deadlineAt.getTime() - startedAt;
  if (left <= 0) throw new DeadlineExceeded();
  const deadline = AbortSignal.timeout(left);
  if (run.attempt > 1) {
    const data = { request_id: run.id, attempt: run.attempt, reason: 'taken_over' };
    await writer.emit({ type: 'reset', data });
  }
  const history = await recentExchanges(
    deps.db,
    { threadId: run.request.session_id, tenant: run.tenant },
    HISTORY_EXCHANGES,
  );
  let answer: Answer;
  try {
    answer = await withLinkedSignal([context.signal, deadline, writer.supersededSignal], (signal) =>
      answerQuestion({ ...deps, run, history, writer, log, signal }),
    );
  } catch (error) {
    if (writer.supersededSignal.aborted) throw writer.supersededSignal.reason;
    if (deadline.aborted) throw new DeadlineExceeded(undefined, { cause: error });
    throw error;
  }
  const response = buildResponse(run, answer, startedAt, new Date());
  const outcome = await concludeRun(
    deps.db,
    writer,
    run,
    { type: 'completed', data: response },
    {
      threadId: run.request.session_id,
      tenant: run.tenant,
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
  return outcome;
}

function failedOutcome(run: Run, error: unknown): RunOutcome {
  const { code, message, retryAfterSeconds } = classifyError(error);
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

/** The run had ended before this job began: its end may have been committed, but not announced. */
async function announceStanding(deps: ChatProcessorDependencies, runId: string): Promise<string> {
  const run = await findRun(deps.db, runId);
  if (!run?.outcome) return 'unknown';
  await deps.runLog.announce(runId, run.attempt, run.outcome);
  return run.outcome.type;
}
