import type { RetrievedChunk } from '@quire/shared/contracts';
import type { Exchange } from '@quire/shared/database';
import { estimateTokens } from '../accounting/estimate-tokens.js';
import type { ChatMessage } from '../generation/chat-model.js';
import type { NumberedPassages } from '../search/numbered-passages.js';
import { SEARCH_TOOL } from '../search/search-tool.js';
import { commonRules, NOT_FOUND_SIGN } from './common-rules.js';
import { fence, quoteConversation, quotePassages } from './fence.js';
import { fitHistory, fitPassages, HISTORY_SHARE } from './fit-to-budget.js';

export interface AnswerPromptParts {
  question: string;
  /** The rewritten question, if the question needs the conversation to be understood. */
  standalone?: string | undefined;
  history: readonly Exchange[];
  /** Strongest first. */
  found: readonly RetrievedChunk[];
  lowConfidence: boolean;
  fenceKey: string;
  tokenBudget: number;
}

/** The passages' share of the token budget; the rest is for the conversation and later searches. */
const PASSAGES_SHARE = 0.5;

const rules = `Answer from the numbered passages alone; nothing else you may know counts.
After each statement cite the passages that it rests on, like [1] or [1][3], and only numbers that are there.
If they do not hold the answer, you may call ${SEARCH_TOOL} with other words.
If the book does not hold the answer, reply with ${NOT_FOUND_SIGN} and nothing else.`;

const lowConfidenceRule =
  'The passages match the question only loosely: begin by saying that the book covers this only in part.';

/**
 * The prompt for an answer from the book. Adds the passages that fit to `passages`; `tokensLeft` is the rest of the
 * budget, for later searches.
 */
export function answerPrompt(
  { question, standalone, history, found, lowConfidence, fenceKey, tokenBudget }: AnswerPromptParts,
  passages: NumberedPassages,
): { messages: ChatMessage[]; tokensLeft: number } {
  const system = [commonRules(fenceKey), rules, ...(lowConfidence ? [lowConfidenceRule] : [])].join('\n');
  const recent = fitHistory(history, tokenBudget * HISTORY_SHARE);
  const fitting = fitPassages(found, tokenBudget * PASSAGES_SHARE);
  const user = [
    quotePassages(passages.add(fitting.chunks), fenceKey),
    ...(recent.length > 0 ? [quoteConversation(recent, fenceKey)] : []),
    fence('question', fenceKey, question),
    ...(standalone === undefined ? [] : [`In other words:\n${fence('question', fenceKey, standalone)}`]),
  ].join('\n\n');
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    tokensLeft: tokenBudget - estimateTokens(system) - estimateTokens(user),
  };
}
