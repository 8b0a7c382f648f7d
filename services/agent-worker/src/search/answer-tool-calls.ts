import type { RetrievedChunk } from '@quire/shared/contracts';
import { DependencyUnavailable } from '@quire/shared/errors';
import type { ChatMessage, ToolCall } from '../generation/chat-model.js';
import { fitPassages } from '../prompt/fit-to-budget.js';
import { quotePassages } from '../prompt/quote-passages.js';
import type { BookSearch } from './book-search.js';
import type { NumberedPassages } from './numbered-passages.js';
import { parseSearchCall } from './search-tool.js';

/** More in one turn are refused: a model that has lost its way must not flood the index. */
export const CALLS_PER_TURN = 4;

export interface ToolDesk {
  search: BookSearch;
  passages: NumberedPassages;
  /** What keeps quoted text apart from our words. */
  fenceKey: string;
  /** What is left of the prompt's budget for further passages. */
  tokensLeft: number;
}

/**
 * Carries out the calls of one turn, all at once, and answers each. What is wrong with a call is told to the model;
 * only the run's own end stops the work. Passages are numbered in the order of the calls, however long each took.
 */
export async function answerToolCalls(calls: readonly ToolCall[], desk: ToolDesk): Promise<ChatMessage[]> {
  const found = await Promise.all(calls.map((call, position) => carryOut(call, position, desk.search)));
  return calls.map(({ id }, i): ChatMessage => {
    const result = found[i];
    const content = typeof result === 'string' ? `Error: ${result}.` : describe(result ?? [], desk);
    return { role: 'tool', toolCallId: id, content };
  });
}

async function carryOut(call: ToolCall, position: number, search: BookSearch) {
  if (position >= CALLS_PER_TURN) return `at most ${CALLS_PER_TURN} calls at once are allowed`;
  const parsed = parseSearchCall(call);
  if (!parsed.ok) return parsed.problem;
  const { query, limit, score_threshold: threshold } = parsed.arguments;
  try {
    return (await search.search({ query, limit, threshold })).chunks;
  } catch (error) {
    if (!(error instanceof DependencyUnavailable)) throw error;
    return 'the search is not available now; answer from what you have';
  }
}

function describe(chunks: readonly RetrievedChunk[], desk: ToolDesk): string {
  if (chunks.length === 0) return 'Nothing was found.';
  const known = chunks.filter((chunk) => desk.passages.numberOf(chunk) !== undefined);
  const fitting = fitPassages(
    chunks.filter((chunk) => !known.includes(chunk)),
    desk.tokensLeft,
  );
  if (known.length + fitting.chunks.length === 0)
    return 'There is no room for more: answer from what you have.';
  desk.tokensLeft -= fitting.tokens;
  const numbers = known.map((chunk) => `[${desk.passages.numberOf(chunk)}]`);
  const already = known.length > 0 ? `You have these already: ${numbers.join(' ')}` : '';
  return [already, quotePassages(desk.passages.add(fitting.chunks), desk.fenceKey)]
    .filter(Boolean)
    .join('\n\n');
}
