import type { RetrievalResult } from '@quire/shared/contracts';
import type { Exchange, Run } from '@quire/shared/database';
import { DeadlineExceeded, DependencyUnavailable } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import type { RetrievalClient } from '@quire/shared/retrieval';
import type { RunLogWriter } from '@quire/shared/run-log';
import type { ChatMessage, ChatModel } from '../generation/chat-model.js';
import { generateAnswer, type GeneratedAnswer } from '../generation/generate-answer.js';
import { passagesPrompt, selectionPrompt } from '../prompt/build-prompt.js';
import { FALLBACK_MESSAGE, lowerLevel, NO_TOKENS, REFUSAL, type Answer } from '../response/answer.js';
import {
  allSources,
  citedSources,
  retrievedSources,
  roundScore,
  selectionSource,
} from '../response/sources.js';

export interface Answering {
  run: Run;
  history: readonly Exchange[];
  retrieval: Pick<RetrievalClient, 'search'>;
  /** The chain in order; empty when no key is configured. */
  models: readonly ChatModel[];
  /** How long passages are waited for before retrieval counts as unavailable. */
  retrievalTimeoutMs: number;
  writer: RunLogWriter;
  log: Logger;
  signal: AbortSignal;
}

/** The life of a question: retrieval, the decision whether to answer, generation, fallback. */
export async function answerQuestion(answering: Answering): Promise<Answer> {
  const { selected_text } = answering.run.request;
  return selected_text === undefined
    ? answerFromBook(answering)
    : answerFromSelection(answering, selected_text);
}

async function answerFromBook(answering: Answering): Promise<Answer> {
  const { run, writer } = answering;
  const started = performance.now();
  await writer.emit({ type: 'status', data: { request_id: run.id, state: 'retrieving' } });
  const found = await search(answering);
  const timings = { retrieval: elapsed(started), generation: 0 };
  const confidence = roundScore(found.confidence.average_similarity);
  await writer.emit({
    type: 'retrieval',
    data: {
      request_id: run.id,
      sources: retrievedSources(found.chunks),
      confidence,
      confidence_level: found.confidence.confidence_level,
      should_answer: found.confidence.should_answer,
      ...(found.degraded_reason !== undefined && { degraded_reason: found.degraded_reason }),
    },
  });
  const base: Answer = {
    mode: 'no_results',
    text: REFUSAL,
    sources: [],
    confidence,
    confidenceLevel: found.confidence.confidence_level,
    lowConfidence: found.confidence.confidence_level === 'low',
    shouldAnswer: found.confidence.should_answer,
    ...(found.degraded_reason !== undefined && { degradedReason: found.degraded_reason }),
    retrievalCount: found.chunks.length,
    retrievalCalls: [describeCall(run.request.message, found)],
    model: null,
    tokens: NO_TOKENS,
    timings,
  };
  if (!found.confidence.should_answer) {
    writer.delta(REFUSAL);
    return base;
  }
  const { lowConfidence } = base;
  const parts = { question: run.request.message, history: answering.history };
  const prompt = passagesPrompt(parts, found.chunks, lowConfidence);
  const { generated, generation } = await generate(answering, prompt, found.chunks.length);
  timings.generation = generation;
  if (!generated) {
    return { ...base, ...retrievalOnly(answering), sources: allSources(found.chunks) };
  }
  const uncited = generated.cited.length === 0;
  return {
    ...base,
    mode: lowConfidence ? 'low_confidence' : 'full',
    text: generated.text,
    sources: citedSources(found.chunks, generated.cited),
    uncited,
    confidenceLevel: uncited ? lowerLevel(base.confidenceLevel) : base.confidenceLevel,
    model: generated.model,
    tokens: generated.tokens,
  };
}

async function answerFromSelection(answering: Answering, selection: string): Promise<Answer> {
  const parts = { question: answering.run.request.message, history: answering.history };
  const { generated, generation } = await generate(answering, selectionPrompt(parts, selection), 1);
  const cited = !generated || generated.cited.length > 0;
  const base: Answer = {
    mode: 'selected_text',
    text: generated?.text ?? null,
    sources: cited ? [selectionSource(selection)] : [],
    confidence: cited ? 1 : 0,
    confidenceLevel: cited ? 'high' : 'insufficient',
    lowConfidence: false,
    shouldAnswer: cited,
    retrievalCount: 0,
    retrievalCalls: [],
    model: generated?.model ?? null,
    tokens: generated?.tokens ?? NO_TOKENS,
    timings: { retrieval: 0, generation },
  };
  return generated ? base : { ...base, ...retrievalOnly(answering) };
}

async function search({ run, retrieval, retrievalTimeoutMs, signal }: Answering): Promise<RetrievalResult> {
  const { message, top_k, similarity_threshold, filters } = run.request;
  const query = {
    query: message,
    top_k,
    ...(similarity_threshold !== undefined && { similarity_threshold }),
    ...(filters && { filters }),
  };
  const deadlineAt = Math.min(run.deadlineAt.getTime(), Date.now() + retrievalTimeoutMs);
  try {
    return await retrieval.search(query, { requestId: run.id, deadlineAt, signal });
  } catch (error) {
    if (!(error instanceof DeadlineExceeded) || Date.now() >= run.deadlineAt.getTime()) throw error;
    throw new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The book could not be searched in time', {
      cause: error,
    });
  }
}

async function generate(
  { run, models, writer, log, signal }: Answering,
  prompt: ChatMessage[],
  passageCount: number,
): Promise<{ generated: GeneratedAnswer | undefined; generation: number }> {
  if (models.length === 0) return { generated: undefined, generation: 0 };
  const started = performance.now();
  await writer.emit({ type: 'status', data: { request_id: run.id, state: 'generating' } });
  const sink = {
    delta: (text: string) => writer.delta(text),
    reset: (reason: string) =>
      writer.emit({ type: 'reset', data: { request_id: run.id, attempt: run.attempt, reason } }),
  };
  const generated = await generateAnswer(models, prompt, passageCount, sink, log, signal);
  return { generated, generation: elapsed(started) };
}

function retrievalOnly({ models }: Answering) {
  return {
    mode: 'retrieval_only' as const,
    text: null,
    fallbackMessage: FALLBACK_MESSAGE,
    degradedReason: models.length === 0 ? 'model_not_configured' : 'model_unavailable',
  };
}

function describeCall(query: string, found: RetrievalResult) {
  return {
    tool: 'search_book_content',
    query,
    results: found.chunks.length,
    mean_similarity: roundScore(found.confidence.average_similarity),
    at: new Date().toISOString(),
  };
}

const elapsed = (since: number): number => Math.round(performance.now() - since);
