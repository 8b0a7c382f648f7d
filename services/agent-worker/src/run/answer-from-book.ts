import type { RetrievalResult } from '@quire/shared/contracts';
import { bookPassage, overallConfidence, retrievedSources } from '@quire/shared/retrieval';
import { addressesOf } from '../citations/addresses.js';
import { plainLine } from '../citations/plain-line.js';
import { rewriteQuestion } from '../follow-up/rewrite-question.js';
import { answerPrompt } from '../prompt/answer-prompt.js';
import { lowerLevel, REFUSAL, type Answer } from '../response/answer.js';
import { allSources, citedSources } from '../response/sources.js';
import { BookSearch } from '../search/book-search.js';
import { NumberedPassages } from '../search/numbered-passages.js';
import { callerOf, elapsed, generate, retrievalOnly, type Answering } from './answering.js';

/** Searches, decides whether to answer, and generates; if every model fails the answer consists of its sources. */
export async function answerFromBook(answering: Answering): Promise<Answer> {
  const { run, writer, retrieval, settings, fenceKey, signal } = answering;
  const isRaw = run.request.markup === 'raw';
  await writer.emit({ type: 'status', data: { request_id: run.id, state: 'retrieving' } });
  const standalone = await rewriteQuestion({
    ...answering,
    question: run.request.message,
    timeLimitMs: settings.rewriteTimeoutMs,
    caller: callerOf(run),
  });
  const started = performance.now();
  const search = new BookSearch({ run, retrieval, timeoutMs: settings.retrievalTimeoutMs, signal });
  const found = await search.search({
    query: standalone ?? run.request.message,
    limit: run.request.top_k,
  });
  const base = {
    ...refusal(found, isRaw ? standalone : standalone && plainLine(standalone)),
    timings: { retrieval: elapsed(started), generation: 0 },
  };
  await emitRetrieval(answering, found, base.confidence);
  if (!base.shouldAnswer) {
    writer.delta(REFUSAL);
    return { ...base, retrievalCalls: search.calls };
  }
  const { result, sink, took } = await generate(answering, () => {
    // Each model has its own passages: it must not cite what only another one was given.
    const passages = new NumberedPassages();
    const { messages, tokensLeft } = answerPrompt(
      {
        question: run.request.message,
        standalone,
        history: answering.history,
        found: found.chunks,
        lowConfidence: base.lowConfidence,
        fenceKey,
        tokenBudget: settings.promptTokenBudget,
      },
      passages,
    );
    const addresses = isRaw
      ? undefined
      : addressesOf(() => passages.chunks.map((chunk) => bookPassage(chunk).source_url));
    const tools = { search, passages, fenceKey, tokensLeft };
    return { messages, isPassage: passages.has, addresses, fenceKey, tools };
  });
  const searched = { ...base, retrievalCalls: search.calls };
  const timings = { ...base.timings, generation: took };
  if (!result.ok) {
    return {
      ...searched,
      ...retrievalOnly(answering, result.reason),
      timings,
      sources: allSources(found.chunks),
    };
  }
  const { written, task, model } = result;
  if (!written.found) {
    sink.delta(REFUSAL);
    return { ...searched, timings, model, confidenceLevel: 'insufficient', shouldAnswer: false };
  }
  const given = task.tools.passages.chunks;
  const uncited = written.cited.length === 0;
  return {
    ...searched,
    mode: base.lowConfidence ? 'low_confidence' : 'full',
    text: written.text,
    ...(written.truncated && { degradedReason: 'answer_truncated' }),
    sources: citedSources(given, written.cited),
    markupRemoved: written.removed,
    uncited,
    confidenceLevel: uncited ? lowerLevel(base.confidenceLevel) : base.confidenceLevel,
    retrievalCount: Math.max(base.retrievalCount, given.length),
    model,
    timings,
  };
}

/** The answer of a run whose search finds nothing; other answers override its fields. */
function refusal({ chunks, confidence, degraded_reason: degraded }: RetrievalResult, standalone?: string) {
  const { confidence_level: level, should_answer: shouldAnswer } = confidence;
  return {
    mode: 'no_results',
    text: REFUSAL,
    sources: [],
    confidence: overallConfidence(confidence),
    confidenceLevel: level,
    lowConfidence: level === 'low',
    shouldAnswer,
    ...(degraded !== undefined && { degradedReason: degraded }),
    ...(standalone !== undefined && { rewrittenQuery: standalone }),
    retrievalCount: chunks.length,
    retrievalCalls: [],
    model: null,
  } satisfies Omit<Answer, 'timings'>;
}

async function emitRetrieval(
  { run, writer }: Answering,
  found: RetrievalResult,
  confidence: number,
): Promise<void> {
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
}
