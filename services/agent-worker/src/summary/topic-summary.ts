import { TOPIC_SUMMARY_MAX_CHARACTERS } from '@quire/shared/contracts';
import type { Exchange } from '@quire/shared/database';
import { snippet } from '@quire/shared/retrieval';
import { plainLine } from '../citations/plain-line.js';
import type { ChatMessage } from '../generation/chat-model.js';
import { storable, unquoted } from '../generation/model-text.js';
import { fence, quoteConversation, quotedIsData } from '../prompt/fence.js';
import { fitHistory } from '../prompt/fit-to-budget.js';

const HISTORY_TOKENS = 3000;

/** Asks for the topics of a conversation; the previous summary stands for exchanges too old to be quoted. */
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

/** Reads the summary in a model's output, as one line of plain text and cut to its limit; undefined if empty. */
export function readSummary(text: string): string | undefined {
  return unquoted(shortLine(storable(text))) || undefined;
}

/** Cut before markup is removed: a code span that is cut in half is no code span. */
function shortLine(text: string): string {
  for (let room = TOPIC_SUMMARY_MAX_CHARACTERS; room > 0;) {
    const line = plainLine(snippet(text, room));
    if (line.length <= TOPIC_SUMMARY_MAX_CHARACTERS) return line;
    room -= line.length - TOPIC_SUMMARY_MAX_CHARACTERS;
  }
  return '';
}
