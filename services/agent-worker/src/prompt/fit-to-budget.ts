import type { RetrievedChunk } from '@quire/shared/contracts';
import type { Exchange } from '@quire/shared/database';
import { estimateTokens } from '../accounting/estimate-tokens.js';
import { passageText } from './quote-passages.js';

/** Number, heading and tags of a passage. */
const PASSAGE_FRAME_TOKENS = 60;
/** Less of a passage is not worth reading. */
const SHORTEST_CUT_TOKENS = 200;

/** The strongest passages that fit; the weakest are left out first, and one too long for all of it is cut. */
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

/** The newest exchanges that fit, oldest first. */
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

/** What stands around the passage goes first, then the end of its text. */
function cut({ before: _before, after: _after, ...chunk }: RetrievedChunk, tokens: number): RetrievedChunk {
  let { text } = chunk;
  while (estimateTokens(text) > tokens) text = text.slice(0, Math.floor(text.length * 0.9));
  return { ...chunk, text: text.toWellFormed() };
}
