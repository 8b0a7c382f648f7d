import type { RetrievedChunk } from '@quire/shared/contracts';
import type { Exchange } from '@quire/shared/database';
import { estimateTokens } from '../accounting/estimate-tokens.js';
import { passageText } from './fence.js';

/** The conversation's share of a prompt's token budget. */
export const HISTORY_SHARE = 0.2;
/** Tokens of a passage's number, heading and tags. */
const PASSAGE_FRAME_TOKENS = 60;
/** A shorter piece of a passage is of no use. */
const SHORTEST_CUT_TOKENS = 200;

/** The passages that fit, strongest first. If not even the strongest fits, it is cut. */
export function fitPassages(
  chunks: readonly RetrievedChunk[],
  budget: number,
): { chunks: RetrievedChunk[]; tokens: number } {
  const fitting: RetrievedChunk[] = [];
  let tokens = 0;
  for (const chunk of chunks) {
    const size = tokensOf(chunk);
    if (tokens + size > budget) break;
    fitting.push(chunk);
    tokens += size;
  }
  const [strongest] = chunks;
  if (fitting.length > 0 || !strongest || budget < SHORTEST_CUT_TOKENS) return { chunks: fitting, tokens };
  return { chunks: [cut(strongest, budget - PASSAGE_FRAME_TOKENS)], tokens: budget };
}

/** The newest exchanges that fit, in order. */
export function fitHistory(history: readonly Exchange[], budget: number): Exchange[] {
  let tokens = 0;
  const first = history.findLastIndex(({ question, answer }) => {
    tokens += estimateTokens(question) + estimateTokens(answer);
    return tokens > budget;
  });
  return history.slice(first + 1);
}

function tokensOf(chunk: RetrievedChunk): number {
  return estimateTokens(passageText(chunk)) + PASSAGE_FRAME_TOKENS;
}

/** Drops the text around the passage, then cuts the end of its own. */
function cut({ before: _before, after: _after, ...chunk }: RetrievedChunk, tokens: number): RetrievedChunk {
  let { text } = chunk;
  while (estimateTokens(text) > tokens) text = text.slice(0, Math.floor(text.length * 0.9));
  return { ...chunk, text: text.toWellFormed() };
}
