import type { Database, Exchange, Run } from '@quire/shared/database';
import type { Caller } from '@quire/shared/models';
import type { RetrievalClient } from '@quire/shared/retrieval';
import { AnswerSink } from '../generation/answer-sink.js';
import type { ChainFailure, ModelChain } from '../generation/model-chain.js';
import { writeAnswer, type AnswerTask, type WrittenAnswer } from '../generation/write-answer.js';
import type { AgentMetrics } from '../metrics.js';
import { FALLBACK_MESSAGE } from '../response/answer.js';
import type { Execution } from './execution.js';

export interface AnswerDependencies {
  db: Database;
  /** Requests the run's cancellation if it is abandoned and its grace is over; returns whether it did. */
  cancelIfLeft(runId: string): Promise<boolean>;
  retrieval: Pick<RetrievalClient, 'search'>;
  chain: ModelChain;
  metrics: AgentMetrics;
  settings: { retrievalTimeoutMs: number; rewriteTimeoutMs: number; promptTokenBudget: number };
}

/** An execution with what it needs to answer its question. */
export interface Answering extends Execution, AnswerDependencies {
  history: readonly Exchange[];
  /** Fires when the run's time is over, it is cancelled or superseded, or the worker stops. */
  signal: AbortSignal;
}

/** Kept for storing an answer of sources alone if every model is silent until the deadline. */
const RESERVE_MS = 1000;

export interface Generated<Task> {
  result:
    | { ok: true; written: WrittenAnswer; task: Task; model: string }
    | { ok: false; reason: ChainFailure };
  sink: AnswerSink;
  took: number;
}

export const callerOf = ({ id, tenant }: Run): Caller => ({ run: id, tenant });

/** Tries the models until one has written an answer; each call gets its own task. */
export async function generate<Task extends AnswerTask>(
  { run, chain, meter, metrics, writer, log, signal }: Answering,
  newTask: () => Task,
): Promise<Generated<Task>> {
  const started = performance.now();
  const sink = new AnswerSink(writer, run, () => metrics.firstText(performance.now() - started));
  if (chain.models.length > 0) {
    await writer.emit({ type: 'status', data: { request_id: run.id, state: 'generating' } });
  }
  const until = run.deadlineAt.getTime() - RESERVE_MS;
  const calls = chain.calls({ until, signal, log, caller: callerOf(run) });
  for await (const call of calls) {
    try {
      const task = newTask();
      const written = await writeAnswer(call.model, task, sink, meter, call.signal);
      await call.succeeded();
      const result = { ok: true, written, task, model: call.model.name } as const;
      return { result, sink, took: elapsed(started) };
    } catch (error) {
      await call.failed(error, sink.hasShown);
      await sink.startOver('model_failed');
    }
  }
  return { result: { ok: false, reason: calls.failure }, sink, took: elapsed(started) };
}

const degradedReasons: Record<ChainFailure, string> = {
  unavailable: 'model_unavailable',
  rate_limited: 'model_rate_limited',
  misconfigured: 'model_misconfigured',
  rejected: 'request_rejected',
  filtered: 'answer_filtered',
  misbehaved: 'model_unavailable',
  overdue: 'model_overdue',
  refused: 'model_unavailable',
};

/** An answer of sources alone, because every model failed. */
export function retrievalOnly({ chain }: Answering, failure: ChainFailure) {
  return {
    mode: 'retrieval_only' as const,
    text: null,
    fallbackMessage: FALLBACK_MESSAGE,
    degradedReason: chain.models.length === 0 ? 'model_not_configured' : degradedReasons[failure],
  };
}

export const elapsed = (since: number): number => Math.round(performance.now() - since);
