import { QUESTION_MAX_CHARACTERS } from '@quire/shared/contracts';
import type { Exchange } from '@quire/shared/database';
import { askForLine, type LineTask } from '../generation/ask-for-line.js';
import type { ChatMessage } from '../generation/chat-model.js';
import type { ModelChain } from '../generation/model-chain.js';
import { hasVisibleText, storable, unquoted } from '../generation/model-text.js';
import { fence, quoteConversation, quotedIsData } from '../prompt/fence.js';
import { fitHistory } from '../prompt/fit-to-budget.js';

export interface Rewriting extends Omit<LineTask, 'messages' | 'read'> {
  question: string;
  history: readonly Exchange[];
  chain: ModelChain;
}

const HISTORY_TOKENS = 2000;

/**
 * Returns a follow-up as a question that can be searched for without the conversation. Undefined for a question without
 * history, or one that stands alone already. If no model rewrites it in time, the previous question is put before it.
 */
export async function rewriteQuestion(rewriting: Rewriting): Promise<string | undefined> {
  const { question, history, chain, ...task } = rewriting;
  if (history.length === 0) return undefined;
  const messages = rewritePrompt(history, question, task.fenceKey);
  const rewritten = await askForLine(chain, { ...task, messages, read: readRewritten });
  const standalone = rewritten ?? combineQuestions(history, question);
  return standalone === question ? undefined : standalone;
}

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

/** Reads the question in a model's output; undefined if there is not exactly one. */
export function readRewritten(text: string): string | undefined {
  const [line = '', ...more] = text.trim().split(/\s*\n\s*/);
  const question = unquoted(storable(line));
  const isOne = more.length === 0 && hasVisibleText(question) && question.length <= QUESTION_MAX_CHARACTERS;
  return isOne ? question : undefined;
}

/** Puts the previous question, which most often names the subject, before this one. */
export function combineQuestions(history: readonly Exchange[], question: string): string {
  const before = history.at(-1)?.question ?? '';
  const room = QUESTION_MAX_CHARACTERS - question.length - 1;
  return `${before.slice(0, Math.max(0, room)).toWellFormed()} ${question}`.trim();
}
