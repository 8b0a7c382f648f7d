import { QUESTION_MAX_CHARACTERS } from '@quire/shared/contracts';
import type { Exchange } from '@quire/shared/database';
import { hasVisibleText } from '../generation/visible-text.js';

/** What a model wrote when it was asked for one question; undefined when it is none. */
export function readRewritten(text: string): string | undefined {
  const [line = '', ...more] = text.trim().split(/\s*\n\s*/);
  const question = storable(line)
    .replace(/^["'“‘«]+|["'”’»]+$/g, '')
    .trim();
  const isOne = more.length === 0 && hasVisibleText(question) && question.length <= QUESTION_MAX_CHARACTERS;
  return isOne ? question : undefined;
}

/** As every store takes it. */
const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** Without a model: the question behind the last one, which most often names what it is about. */
export function combineQuestions(history: readonly Exchange[], question: string): string {
  const before = history.at(-1)?.question ?? '';
  const room = QUESTION_MAX_CHARACTERS - question.length - 1;
  return `${before.slice(0, Math.max(0, room)).toWellFormed()} ${question}`.trim();
}
