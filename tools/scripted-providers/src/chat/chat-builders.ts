import type { ChatAnswer } from './chat-behaviour.js';

type AnswerOptions = Omit<ChatAnswer, 'kind' | 'text'>;

/** Without a text, the answer is made from the passages in the prompt. */
export function answer(text?: string, options: AnswerOptions = {}): ChatAnswer {
  return { kind: 'answer', text, ...options };
}

/** An answer that calls one tool; arguments given as a string are sent as given. */
export function toolCall(
  name: string,
  args: string | object,
  { splitOver, ...options }: AnswerOptions & { splitOver?: number } = {},
): ChatAnswer {
  const wireArguments = typeof args === 'string' ? args : JSON.stringify(args);
  return { kind: 'answer', ...options, toolCalls: [{ name, arguments: wireArguments, splitOver }] };
}

export function cutAfter(tokens: number, text?: string, options: AnswerOptions = {}): ChatAnswer {
  return answer(text, { ...options, cutAfterTokens: tokens });
}

export function stallAfter(tokens: number, text?: string, options: AnswerOptions = {}): ChatAnswer {
  return answer(text, { ...options, stallAfterTokens: tokens });
}

export function malformedAfter(tokens: number, text?: string, options: AnswerOptions = {}): ChatAnswer {
  return answer(text, { ...options, malformedChunkAfterTokens: tokens });
}
