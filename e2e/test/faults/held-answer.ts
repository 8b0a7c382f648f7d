import type { ChatAnswer, ChatRequest } from '@quire/scripted-providers';
import { numberedAnswer } from './numbered-answer.js';

export interface HeldAnswer {
  behaviour(request: ChatRequest): Promise<ChatAnswer>;
  release(): void;
}

/** A model that has received the question and sends nothing until it is released. */
export function holdAnswer(tokenMs = 5): HeldAnswer {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    async behaviour(request) {
      await released;
      return numberedAnswer(request, tokenMs);
    },
    release: () => release(),
  };
}
