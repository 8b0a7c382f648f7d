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

/** Counts tokens and cost of one execution over all model calls, including failed and aborted ones. */
export class UsageMeter {
  private readonly models = new Map<string, { calls: number; tokens: TokensUsed; estimated: boolean }>();

  constructor(private readonly prices: ModelPrices) {}

  /** Passes the model's stream through and counts the call when the stream ends, however it ends. */
  async *metered(model: ChatModel, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let reported: TokensUsed | undefined;
    let received = '';
    let refused = false;
    try {
      for await (const event of model.stream(request, signal)) {
        if (event.type === 'usage') reported = event.tokens;
        if (event.type === 'text' || event.type === 'thought') received += event.text;
        if (event.type === 'tool_calls') received += JSON.stringify(event.calls);
        yield event;
      }
    } catch (error) {
      refused = error instanceof ModelFailure && received === '';
      throw error;
    } finally {
      this.add(
        model.name,
        reported ?? (refused ? none : estimated(request, received)),
        reported === undefined,
      );
    }
  }

  get total(): TokensUsed {
    return [...this.models.values()].reduce((sum, { tokens }) => plus(sum, tokens), none);
  }

  /** One entry for each model that was called. */
  get spent(): SpentOnModel[] {
    return [...this.models].map(([model, { calls, tokens, estimated: isEstimated }]) => ({
      model,
      calls,
      tokens,
      estimated: isEstimated,
      costUsd: costOf(model, tokens, this.prices),
    }));
  }

  /** Undefined if a model that was called has no price. */
  get costUsd(): number | undefined {
    let sum = 0;
    for (const { costUsd } of this.spent) {
      if (costUsd === undefined) return undefined;
      sum = roundCost(sum + costUsd);
    }
    return sum;
  }

  private add(model: string, tokens: TokensUsed, isEstimated: boolean): void {
    const before = this.models.get(model) ?? { calls: 0, tokens: none, estimated: false };
    this.models.set(model, {
      calls: before.calls + 1,
      tokens: plus(before.tokens, tokens),
      estimated: before.estimated || (isEstimated && tokens.total > 0),
    });
  }
}

const none: TokensUsed = { prompt: 0, completion: 0, total: 0 };

/** Estimates the tokens of a call that ended without a usage report. */
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
