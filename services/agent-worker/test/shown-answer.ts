import type { ChatResponse, RunEvent } from '@quire/shared/contracts';
import type { ChatRequest as ModelRequest } from '@quire/scripted-providers';

/** The text of a client that clears it at each reset. */
export const shownText = (events: readonly RunEvent[]): string =>
  events.reduce((shown, event) => {
    if (event.type === 'reset') return '';
    return event.type === 'delta' ? shown + event.data.text : shown;
  }, '');

export const responseOf = (outcome: unknown): ChatResponse => {
  const { type, data } = outcome as { type: string; data: ChatResponse };
  if (type !== 'completed') throw new Error(`The run ended as ${type}: ${JSON.stringify(data)}`);
  return data;
};

type SentMessage = ModelRequest['messages'][number];

/** The text of a message. */
export const wordsOf = ({ content }: Pick<SentMessage, 'content'>): string =>
  typeof content === 'string' ? content : '';
