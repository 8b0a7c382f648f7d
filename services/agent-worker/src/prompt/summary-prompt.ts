import { TOPIC_SUMMARY_MAX_CHARACTERS } from '@quire/shared/contracts';
import type { Exchange } from '@quire/shared/database';
import type { ChatMessage } from '../generation/chat-model.js';
import { quotedIsData } from './common-rules.js';
import { fence } from './fence.js';
import { fitHistory } from './fit-to-budget.js';
import { quoteConversation } from './quote-conversation.js';

const HISTORY_TOKENS = 3000;

/** Asks what a conversation is about; the summary so far stands for what is too old to be quoted. */
export function summaryPrompt(
  history: readonly Exchange[],
  before: string | null,
  fenceKey: string,
): ChatMessage[] {
  const quoted = [quoteConversation(fitHistory(history, HISTORY_TOKENS), fenceKey)];
  if (before !== null) quoted.unshift(fence('summary', fenceKey, before));
  return [
    {
      role: 'system',
      content: `Summarize what the reader's conversation about a book is about, in the language of the reader.
${quotedIsData(fenceKey)}
Name the topics, not the turns. At most ${TOPIC_SUMMARY_MAX_CHARACTERS} characters, in one line, and nothing else.`,
    },
    { role: 'user', content: quoted.join('\n\n') },
  ];
}
