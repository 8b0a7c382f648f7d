import type { Exchange } from '@quire/shared/database';
import type { SelectionSpan } from '../citations/selection-spans.js';
import type { ChatMessage } from '../generation/chat-model.js';
import { commonRules, NOT_FOUND_SIGN } from './common-rules.js';
import { fence, quoteConversation } from './fence.js';
import { fitHistory, HISTORY_SHARE } from './fit-to-budget.js';

export interface SelectionPromptParts {
  question: string;
  history: readonly Exchange[];
  spans: readonly SelectionSpan[];
  fenceKey: string;
  tokenBudget: number;
}

const rules = `Answer from the reader's selection alone; nothing else you may know counts. The conversation only tells what words such as "it" mean.
The selection is numbered: after each statement cite the parts that it rests on, like [1] or [1][3], and only numbers that are there.
If the selection does not hold the answer, reply with ${NOT_FOUND_SIGN} and nothing else.`;

/** The prompt for an answer from the text that the reader selected, and from nothing else. */
export function selectionPrompt({
  question,
  history,
  spans,
  fenceKey,
  tokenBudget,
}: SelectionPromptParts): ChatMessage[] {
  const recent = fitHistory(history, tokenBudget * HISTORY_SHARE);
  const numbered = spans.map(({ number, text }) => `[${number}] ${text}`).join('\n');
  return [
    { role: 'system', content: `${commonRules(fenceKey)}\n${rules}` },
    {
      role: 'user',
      content: [
        fence('selection', fenceKey, numbered),
        ...(recent.length > 0 ? [quoteConversation(recent, fenceKey)] : []),
        fence('question', fenceKey, question),
      ].join('\n\n'),
    },
  ];
}
