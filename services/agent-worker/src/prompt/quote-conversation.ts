import type { Exchange } from '@quire/shared/database';
import { fence } from './fence.js';

/** Numbers of earlier answers named other passages than the numbers of this one will. */
const citation = /\s?\[\d+\]/g;

export function quoteConversation(history: readonly Exchange[], key: string): string {
  const turns = history.map(
    ({ question, answer }) => `Reader: ${question}\nAnswer: ${answer.replaceAll(citation, '')}`,
  );
  return fence('conversation', key, turns.join('\n\n'));
}
