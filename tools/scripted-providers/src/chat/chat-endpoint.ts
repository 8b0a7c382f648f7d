import type { EndpointScript } from '../behaviours/endpoint-script.js';
import type { Fault } from '../behaviours/fault.js';
import { openAiProtocol } from '../protocols/openai-protocol.js';
import type { Endpoint } from '../server/endpoint.js';
import type { Exchange } from '../server/exchange.js';
import { sendJson } from '../server/send-json.js';
import type { ChatBehaviour, ResolvedChatAnswer } from './chat-behaviour.js';
import { type ChatRequest, chatRequestSchema } from './chat-request.js';
import { type Completion, composeCompletion } from './completion.js';
import { completionFrames } from './completion-frames.js';
import { completionJson } from './completion-json.js';
import { streamCompletion } from './stream-completion.js';

export type ChatScript = EndpointScript<ChatRequest, ChatBehaviour, ResolvedChatAnswer | Fault>;

export function chatEndpoint(script: ChatScript): Endpoint<ChatRequest, ResolvedChatAnswer> {
  return {
    protocol: openAiProtocol,
    requestSchema: chatRequestSchema,
    script,
    brokenLimit: () => undefined,
    respond(exchange, request, answer) {
      const completion = composeCompletion(request, answer);
      if (request.stream !== true) return sendWhole(exchange, completion, answer);
      const includeUsage = request.stream_options?.include_usage === true;
      return streamCompletion(exchange, completionFrames(completion, includeUsage), answer);
    },
  };
}

async function sendWhole(
  exchange: Exchange,
  completion: Completion,
  answer: ResolvedChatAnswer,
): Promise<void> {
  const json = completionJson(completion);
  const malformed = answer.malformedChunkAfterTokens !== undefined;
  const gaps = Math.max(completion.tokens.length - 1, 0);
  await sendJson(exchange, malformed ? json.slice(0, -2) : json, {
    latencyMs: answer.firstTokenMs + gaps * answer.tokenMs,
    cut: answer.cutAfterTokens !== undefined,
    stall: answer.stallAfterTokens !== undefined,
  });
}
