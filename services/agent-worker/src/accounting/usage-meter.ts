import type { TokensUsed } from '@quire/shared/contracts';
import type { SpentOnModel } from '@quire/shared/database';
import {
  ModelFailure,
  type ChatModel,
  type ModelEvent,
  type ModelRequest,
} from '../generation/chat-model.js';
import { estimateTokens } from './estimate-tokens.js';
import { costOf, roundCost, type ModelPrices } from './model-prices.js';

/** Keeps the account of one execution, over all models and calls, those that failed or were aborted included. */
export class UsageMeter {
  private readonly models = new Map<string, { calls: number; tokens: TokensUsed; estimated: boolean }>();

  constructor(private readonly prices: ModelPrices) {}

  /** The model's stream; when it ends, however it ends, what it cost is on the account. */
  async *metered(model: ChatModel, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let told: TokensUsed | undefined;
    let received = '';
    let refused = false;
    try {
      for await (const event of model.stream(request, signal)) {
        if (event.type === 'usage') told = event.tokens;
        if (event.type === 'text' || event.type === 'thought') received += event.text;
        if (event.type === 'tool_calls') received += JSON.stringify(event.calls);
        yield event;
      }
    } catch (error) {
      refused = error instanceof ModelFailure && received === '';
      throw error;
    } finally {
      this.add(model.name, told ?? (refused ? none : estimated(request, received)), told === undefined);
    }
  }

  get total(): TokensUsed {
    return [...this.models.values()].reduce((sum, { tokens }) => plus(sum, tokens), none);
  }

  /** One entry per model that was called. */
  get spent(): SpentOnModel[] {
    return [...this.models].map(([model, { calls, tokens, estimated: guessed }]) => ({
      model,
      calls,
      tokens,
      estimated: guessed,
      costUsd: costOf(model, tokens, this.prices),
    }));
  }

  /** Undefined when a model that was called has no price. */
  get costUsd(): number | undefined {
    return this.spent
      .map(({ costUsd }) => costUsd)
      .reduce(
        (sum, cost) => (sum === undefined || cost === undefined ? undefined : roundCost(sum + cost)),
        0,
      );
  }

  private add(model: string, tokens: TokensUsed, guessed: boolean): void {
    const before = this.models.get(model) ?? { calls: 0, tokens: none, estimated: false };
    this.models.set(model, {
      calls: before.calls + 1,
      tokens: plus(before.tokens, tokens),
      estimated: before.estimated || (guessed && tokens.total > 0),
    });
  }
}

const none: TokensUsed = { prompt: 0, completion: 0, total: 0 };

/** For a provider that tells nothing, or a call that was cut off before it could. */
function estimated({ messages }: ModelRequest, received: string): TokensUsed {
  const prompt = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const completion = estimateTokens(received);
  return { prompt, completion, total: prompt + completion };
}

export function plus(a: TokensUsed, b: TokensUsed): TokensUsed {
  return {
    prompt: a.prompt + b.prompt,
    completion: a.completion + b.completion,
    total: a.total + b.total,
  };
}
