import { APIError, type OpenAI } from 'openai';
import { ModelUnavailable, type ChatMessage, type ChatModel, type ModelEvent } from './chat-model.js';
import { stallGuard, type StallLimits } from './stall-guard.js';

const TEMPERATURE = 0.1;

/** Statuses by which providers refuse a key, a model name or our request as such. */
const configurationStatuses = new Set([400, 401, 403, 404]);

/** Gemini, or any other server that speaks the OpenAI chat completions protocol. */
export class OpenAiChatModel implements ChatModel {
  constructor(
    private readonly client: OpenAI,
    readonly name: string,
    private readonly limits: StallLimits,
  ) {}

  async *stream(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, void> {
    const guard = stallGuard(this.limits, signal);
    let finished = false;
    try {
      const chunks = await this.client.chat.completions.create(
        {
          model: this.name,
          messages: [...messages],
          temperature: TEMPERATURE,
          stream: true,
          stream_options: { include_usage: true },
        },
        // Retrying is the chain's decision: it knows whether anything was shown to the reader.
        { signal: guard.signal, maxRetries: 0 },
      );
      for await (const chunk of chunks) {
        guard.progress();
        const [choice] = chunk.choices;
        if (choice?.delta.content) yield { type: 'text', text: choice.delta.content };
        if (choice?.finish_reason) finished = true;
        if (chunk.usage) yield { type: 'usage', tokens: toTokens(chunk.usage) };
      }
    } catch (error) {
      signal.throwIfAborted();
      // What goes wrong behind the end of an answer does not make it less whole.
      if (finished) return;
      throw toModelUnavailable(error, guard.stalled);
    } finally {
      guard.release();
    }
    signal.throwIfAborted();
    if (!finished) throw new ModelUnavailable('unavailable', 'The answer broke off');
  }
}

function toTokens(usage: OpenAI.CompletionUsage) {
  return { prompt: usage.prompt_tokens, completion: usage.completion_tokens, total: usage.total_tokens };
}

function toModelUnavailable(error: unknown, stalled: boolean): ModelUnavailable {
  if (stalled) return new ModelUnavailable('unavailable', 'The model fell silent', { cause: error });
  if (error instanceof APIError && configurationStatuses.has(error.status ?? 0)) {
    return new ModelUnavailable('configuration', `The provider refused the request (${error.status})`, {
      cause: error,
    });
  }
  return new ModelUnavailable('unavailable', 'The model is not reachable', { cause: error });
}
