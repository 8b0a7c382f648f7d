import type { TokensUsed } from '@quire/shared/contracts';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export type ModelEvent = { type: 'text'; text: string } | { type: 'usage'; tokens: TokensUsed };

/** A model that answers a conversation piece by piece. */
export interface ChatModel {
  readonly name: string;
  /**
   * Ends normally only when the model said that its answer is whole; throws `ModelUnavailable` otherwise. An
   * abort of the signal ends the call to the provider at once.
   */
  stream(messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** The model gave no usable answer. A wrong key or an unknown model is a defect of the configuration. */
export class ModelUnavailable extends Error {
  constructor(
    readonly kind: 'configuration' | 'unavailable',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ModelUnavailable';
  }
}
