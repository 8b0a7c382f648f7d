import { NO_ADDRESSES } from '../citations/addresses.js';
import { spansOf } from '../citations/selection-spans.js';
import { selectionPrompt } from '../prompt/selection-prompt.js';
import { SELECTION_REFUSAL, type Answer } from '../response/answer.js';
import { selectionSources, wholeSelection } from '../response/sources.js';
import { generate, retrievalOnly, type Answering } from './answering.js';

/** Answers from the caller's selection alone, without any search or tool. */
export async function answerFromSelection(answering: Answering, selection: string): Promise<Answer> {
  const { run, history, settings, fenceKey } = answering;
  const spans = spansOf(selection);
  const messages = selectionPrompt({
    question: run.request.message,
    history,
    spans,
    fenceKey,
    tokenBudget: settings.promptTokenBudget,
  });
  const isPassage = (number: number) => number >= 1 && number <= spans.length;
  const addresses = run.request.markup === 'raw' ? undefined : NO_ADDRESSES;
  const { result, sink, took } = await generate(answering, () => ({
    messages,
    isPassage,
    addresses,
    fenceKey,
  }));
  const base: Answer = {
    mode: 'selected_text',
    text: SELECTION_REFUSAL,
    sources: [],
    confidence: 0,
    confidenceLevel: 'insufficient',
    lowConfidence: false,
    shouldAnswer: false,
    retrievalCount: 0,
    retrievalCalls: [],
    model: result.ok ? result.model : null,
    timings: { retrieval: 0, generation: took },
  };
  if (!result.ok) {
    return { ...base, ...retrievalOnly(answering, result.reason), sources: [wholeSelection(selection)] };
  }
  const { written } = result;
  if (!written.found) {
    sink.delta(SELECTION_REFUSAL);
    return base;
  }
  const uncited = written.cited.length === 0;
  return {
    ...base,
    text: written.text,
    ...(written.truncated && { degradedReason: 'answer_truncated' }),
    sources: selectionSources(selection, spans, written.cited),
    markupRemoved: written.removed,
    uncited,
    confidence: uncited ? 0 : 1,
    confidenceLevel: uncited ? 'low' : 'high',
    shouldAnswer: true,
  };
}
