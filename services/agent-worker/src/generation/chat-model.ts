import type { TokensUsed } from '@quire/shared/contracts';

/** A tool call as the model wrote it: the name may be unknown and the arguments no JSON. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
  /** Sent back to the provider as it came: Gemini refuses a call without its thought signature. */
  extra?: unknown;
}

export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls: readonly ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string };

/** A function that the model may call; `parameters` is a JSON schema. */
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  messages: readonly ChatMessage[];
  tools?: readonly ToolDefinition[];
  /** Providers want tools declared that earlier messages have used; false forbids further calls. */
  mayCallTools?: boolean;
}

/** Why a model stopped; with `length` and `filtered` the text is cut. */
export type FinishReason = 'whole' | 'length' | 'filtered';

export type ModelEvent =
  | { type: 'text'; text: string }
  /** Only counted as tokens: reasoning is never part of an answer. */
  | { type: 'thought'; text: string }
  | { type: 'tool_calls'; calls: ToolCall[] }
  | { type: 'usage'; tokens: TokensUsed }
  | { type: 'finish'; reason: FinishReason };

/** A model that continues a conversation, streamed. */
export interface ChatModel {
  readonly name: string;
  /** Identifies the model to the circuit breaker, in all workers. */
  readonly id: string;
  /**
   * Ends normally only after a `finish`; throws `ModelFailure` otherwise. An abort of the signal ends the call to the
   * provider at once and throws the signal's reason.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/**
 * - `unavailable`: the provider is not reachable, or its stream broke off or was silent for too long;
 * - `rate_limited`: the provider limits the rate of calls;
 * - `misconfigured`: the provider refuses the key or the model's name;
 * - `rejected`: the provider refuses this one request, for example as too long, and accepts others;
 * - `filtered`: the provider withholds the output;
 * - `misbehaved`: the output cannot be shown.
 */
export type ModelFailureKind =
  | 'unavailable'
  | 'rate_limited'
  | 'misconfigured'
  | 'rejected'
  | 'filtered'
  | 'misbehaved';

/** A model call without usable output. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  /** From the provider's `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly kind: ModelFailureKind,
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}
