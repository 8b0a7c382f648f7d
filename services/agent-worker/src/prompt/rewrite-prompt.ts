import type { Exchange } from '@quire/shared/database';
import type { ChatMessage } from '../generation/chat-model.js';
import { quotedIsData } from './common-rules.js';
import { fence } from './fence.js';
import { fitHistory } from './fit-to-budget.js';
import { quoteConversation } from './quote-conversation.js';

const HISTORY_TOKENS = 2000;

/** Asks for the reader's question in a form that can be searched for without the conversation. */
export function rewritePrompt(
  history: readonly Exchange[],
  question: string,
  fenceKey: string,
): ChatMessage[] {
  return [
    {
      role: 'system',
      content: `Rewrite the reader's last question so that it can be understood without the conversation, in the same language.
${quotedIsData(fenceKey)}
Keep names and terms as they are. If the question stands alone already, repeat it. Do not answer it.
Reply with the question alone, in one line.`,
    },
    {
      role: 'user',
      content: `${quoteConversation(fitHistory(history, HISTORY_TOKENS), fenceKey)}\n\n${fence('question', fenceKey, question)}`,
    },
  ];
}
