import type { Completion } from './completion.js';
import { contentOf } from './completion-frames.js';

export function completionJson({ id, created, model, usage, ...completion }: Completion): string {
  const toolCalls = completion.toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  const calls = toolCalls.length > 0;
  const text = completion.tokens.join('');
  const choice = {
    index: 0,
    message: {
      role: 'assistant',
      content: calls && text === '' ? null : contentOf(text, completion.asParts),
      ...(completion.reasoning.length > 0 && { reasoning_content: completion.reasoning.join('') }),
      refusal: null,
      ...(calls ? { tool_calls: toolCalls } : {}),
    },
    logprobs: null,
    finish_reason: completion.finishReason,
  };
  const choices = completion.empty ? [] : [choice];
  return JSON.stringify({ id, object: 'chat.completion', created, model, choices, usage });
}
