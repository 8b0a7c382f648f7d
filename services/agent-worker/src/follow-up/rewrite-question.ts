import type { Exchange } from '@quire/shared/database';
import { askForLine, type LineTask } from '../generation/ask-for-line.js';
import type { ModelChain } from '../generation/model-chain.js';
import { rewritePrompt } from '../prompt/rewrite-prompt.js';
import { combineQuestions, readRewritten } from './standalone-question.js';

export interface Rewriting extends Omit<LineTask, 'messages' | 'read'> {
  question: string;
  history: readonly Exchange[];
  chain: ModelChain;
}

/**
 * A follow-up as a question that stands alone; undefined for one without history, or that does so already. The reader
 * waits for this before anything is searched, so a slow model is not waited for.
 */
export async function rewriteQuestion(rewriting: Rewriting): Promise<string | undefined> {
  const { question, history, chain, ...task } = rewriting;
  if (history.length === 0) return undefined;
  const messages = rewritePrompt(history, question, task.fenceKey);
  const rewritten = await askForLine(chain, { ...task, messages, read: readRewritten });
  const standalone = rewritten ?? combineQuestions(history, question);
  return standalone === question ? undefined : standalone;
}
