import type { TokensUsed } from '@quire/shared/contracts';
import type { OpenAI } from 'openai';
import { Stream } from 'openai/core/streaming';
import { z } from 'zod';
import {
  ModelFailure,
  type ChatMessage,
  type ChatModel,
  type FinishReason,
  type ModelEvent,
  type ModelRequest,
} from './chat-model.js';
import { wordsOf } from './delta-words.js';
import { finishReason } from './finish-reason.js';
import { LeadingThoughts } from './leading-thoughts.js';
import { openAiFailure } from './provider-error.js';
import { stallGuard, type StallGuard, type StallLimits } from './stall-guard.js';
import { StreamEnd } from './stream-end.js';
import { ToolCallAssembly } from './tool-call-assembly.js';

const TEMPERATURE = 0.1;
/** Sums over many calls must fit into Postgres' `integer`. */
const MOST_TOKENS = 100_000_000;

/** Gemini, or any other server with OpenAI's chat completions protocol. */
export class OpenAiChatModel implements ChatModel {
  constructor(
    private readonly client: OpenAI,
    readonly id: string,
    readonly name: string,
    private readonly limits: StallLimits,
  ) {}

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
    const guard = stallGuard(this.limits, signal);
    const assembly = new ToolCallAssembly();
    const thoughts = new LeadingThoughts();
    const end = new StreamEnd();
    let hasText = false;
    let finish: FinishReason | undefined;
    try {
      for await (const chunk of await this.chunksOf(request, end, guard.signal)) {
        const [choice] = chunk.choices ?? [];
        const delta = choice?.delta ?? {};
        const words = wordsOf(delta);
        const separated = thoughts.push(words.text);
        const thought = words.thought + separated.thought;
        // Empty chunks do not count as progress: some servers send them without end.
        if (separated.text || delta.tool_calls) guard.progress();
        else if (thought || words.text) guard.thinking();
        if (thought) yield { type: 'thought', text: thought };
        if (separated.text) {
          hasText = true;
          yield { type: 'text', text: separated.text };
        }
        if (delta.tool_calls) assembly.add(delta.tool_calls);
        if (choice?.finish_reason) {
          finish = finishReason(choice.finish_reason);
          guard.finish();
        }
        const tokens = readUsage(chunk.usage);
        if (tokens) yield { type: 'usage', tokens };
      }
    } catch (error) {
      // After the finish reason the answer is whole, whatever fails then.
      if (!finish) {
        signal.throwIfAborted();
        throw guard.stalled ? stalledFailure(guard, error) : openAiFailure(error, this.name);
      }
    } finally {
      guard.release();
    }
    const { text } = thoughts.end();
    if (text) yield { type: 'text', text };
    // Some servers send no finish reason.
    if (end.isReached && (hasText || text || assembly.calls.length > 0)) finish ??= 'whole';
    if (!finish) {
      signal.throwIfAborted();
      // The SDK ends an aborted stream as if it were whole.
      throw guard.stalled
        ? stalledFailure(guard)
        : new ModelFailure('unavailable', 'The stream ended without a finish reason');
    }
    // Gemini sends `stop` also after tool calls, so the reason does not tell them from text.
    if (assembly.calls.length > 0) yield { type: 'tool_calls', calls: assembly.calls };
    yield { type: 'finish', reason: finish };
  }

  /** Without the SDK's retries: the model chain retries, and knows whether text was shown. */
  private async chunksOf(request: ModelRequest, end: StreamEnd, signal: AbortSignal) {
    const asked = this.client.chat.completions.create(this.body(request), { signal, maxRetries: 0 });
    const response = end.watch(await asked.asResponse());
    return Stream.fromSSEResponse<OpenAI.ChatCompletionChunk>(response, new AbortController(), this.client);
  }

  private body({ messages, tools, mayCallTools = true }: ModelRequest) {
    return {
      model: this.name,
      messages: messages.map(toWire),
      temperature: TEMPERATURE,
      stream: true as const,
      stream_options: { include_usage: true },
      ...(tools && {
        tools: tools.map((tool) => ({ type: 'function' as const, function: { ...tool } })),
        tool_choice: mayCallTools ? ('auto' as const) : ('none' as const),
      }),
    };
  }
}

function toWire(message: ChatMessage): OpenAI.ChatCompletionMessageParam {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
  if (message.role !== 'assistant') return message;
  return {
    role: 'assistant',
    content: message.content || null,
    tool_calls: message.toolCalls.map(({ id, name, arguments: args, extra }) => ({
      id,
      type: 'function' as const,
      // A provider may refuse the request because of invalid arguments that its own model wrote.
      function: { name: name || 'unknown', arguments: isJson(args) ? args : '{}' },
      ...(extra !== undefined && { extra_content: extra }),
    })),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A model that reasons for too long works: its breaker must not open, and the next model may be faster. */
function stalledFailure({ overthought }: StallGuard, cause?: unknown): ModelFailure {
  return overthought
    ? new ModelFailure('misbehaved', 'The model reasoned for too long', { cause })
    : new ModelFailure('unavailable', 'The model sent nothing for too long', { cause });
}

const count = z.int().min(0).max(MOST_TOKENS);
const usageSchema = z.object({ prompt_tokens: count, completion_tokens: count, total_tokens: count });

/** Undefined if the figures are invalid. Reasoning counts as completion; some servers report it in the total alone. */
function readUsage(usage: unknown): TokensUsed | undefined {
  const parsed = usageSchema.safeParse(usage);
  if (!parsed.success) return undefined;
  const { prompt_tokens: prompt, completion_tokens: written, total_tokens: total } = parsed.data;
  const completion = Math.max(written, total - prompt);
  return { prompt, completion, total: prompt + completion };
}
