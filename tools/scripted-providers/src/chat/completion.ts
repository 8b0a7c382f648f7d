import { randomUUID } from 'node:crypto';
import { estimateTokens, wordTokens } from '../text/tokens.js';
import type { ResolvedChatAnswer, ScriptedToolCall } from './chat-behaviour.js';
import { type ChatRequest, messageTexts } from './chat-request.js';
import { groundedAnswer, tokensOfLength } from './grounded-answer.js';

/** The model's response to one request, before it is encoded. */
export interface Completion {
  id: string;
  created: number;
  model: string;
  tokens: string[];
  toolCalls: Array<ScriptedToolCall & { id: string }>;
  reasoning: string[];
  asParts: boolean;
  finishReason: string | null;
  usage: CompletionUsage | undefined;
  empty: boolean;
}

export interface CompletionUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

export function composeCompletion(request: ChatRequest, answer: ResolvedChatAnswer): Completion {
  const tokens = answerTokens(request, answer);
  const toolCalls = answer.toolCalls.map((call) => ({ ...call, id: `call_${randomUUID()}` }));
  return {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(Date.now() / 1_000),
    model: request.model,
    tokens,
    toolCalls,
    reasoning: answer.reasoning,
    asParts: answer.asParts,
    finishReason:
      answer.finishReason === undefined
        ? toolCalls.length > 0
          ? 'tool_calls'
          : 'stop'
        : answer.finishReason,
    usage: answer.omitUsage ? undefined : usageOf(request, answer, tokens),
    empty: answer.emptyChoices,
  };
}

function answerTokens(request: ChatRequest, answer: ResolvedChatAnswer): string[] {
  if (answer.tokens !== undefined) return answer.tokens;
  if (answer.text !== undefined) return wordTokens(answer.text);
  if (answer.toolCalls.length > 0) return [];
  const text = groundedAnswer(request);
  return answer.tokenCount === undefined ? wordTokens(text) : tokensOfLength(text, answer.tokenCount);
}

function usageOf(request: ChatRequest, answer: ResolvedChatAnswer, tokens: string[]): CompletionUsage {
  const written = answer.toolCalls.reduce((sum, call) => sum + estimateTokens(call.name + call.arguments), 0);
  const { promptTokens, completionTokens } = answer.usage ?? {
    promptTokens: messageTexts(request).reduce((sum, text) => sum + estimateTokens(text), 0),
    completionTokens: tokens.length + written,
  };
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
