import type { Exchange, Run } from '@quire/shared/database';
import type { Caller } from '@quire/shared/models';
import type { RetrievalClient } from '@quire/shared/retrieval';
import { AnswerSink } from '../generation/answer-sink.js';
import type { ChatModel } from '../generation/chat-model.js';
import type { ChainFailure, ChainResult, ModelChain } from '../generation/model-chain.js';
import type { WrittenAnswer } from '../generation/write-answer.js';
import type { AgentMetrics } from '../metrics.js';
import { FALLBACK_MESSAGE } from '../response/answer.js';
import type { Execution } from './execution.js';

export interface AnswerSettings {
  retrievalTimeoutMs: number;
  rewriteTimeoutMs: number;
  promptTokenBudget: number;
}

export interface AnsweringMeans {
  retrieval: Pick<RetrievalClient, 'search'>;
  chain: ModelChain;
  metrics: AgentMetrics;
  settings: AnswerSettings;
}

/** An execution with what it needs to answer its question. */
export interface Answering extends Execution, AnsweringMeans {
  history: readonly Exchange[];
  /** Fires when the run's time is over, it is cancelled or superseded, or the worker stops. */
  signal: AbortSignal;
}

/** Kept of the time for storing an answer of sources alone: a silent model must not cost the reader those. */
const RESERVE_MS = 1000;

export const callerOf = ({ id, tenant }: Run): Caller => ({ run: id, tenant });

/** Has the chain write an answer, and shows it while it comes. */
export async function generate<T extends WrittenAnswer>(
  { run, chain, metrics, writer, log, signal }: Answering,
  ask: (model: ChatModel, sink: AnswerSink, signal: AbortSignal) => Promise<T>,
): Promise<{ result: ChainResult<T>; sink: AnswerSink; took: number }> {
  const started = performance.now();
  const sink = new AnswerSink(writer, run, () => metrics.firstText(performance.now() - started));
  if (chain.models.length > 0) {
    await writer.emit({ type: 'status', data: { request_id: run.id, state: 'generating' } });
  }
  const result = await chain.run({
    ask: (model, limited) => ask(model, sink, limited),
    hasShown: () => sink.hasShown,
    startOver: () => sink.startOver('model_failed'),
    until: run.deadlineAt.getTime() - RESERVE_MS,
    signal,
    log,
    caller: callerOf(run),
  });
  // The time may have been over in the middle of a sentence.
  if (!result.ok) await sink.startOver('model_failed');
  return { result, sink, took: elapsed(started) };
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

/** No model answered: the sources are the answer. */
export function retrievalOnly({ chain }: Answering, failure: ChainFailure) {
  return {
    mode: 'retrieval_only' as const,
    text: null,
    fallbackMessage: FALLBACK_MESSAGE,
    degradedReason: chain.models.length === 0 ? 'model_not_configured' : degradedReasons[failure],
  };
}

export const elapsed = (since: number): number => Math.round(performance.now() - since);
