import { modelId, type CircuitBreaker } from '@quire/shared/models';
import type { AgentConfig } from '../config.js';
import { ModelChain } from './model-chain.js';
import { OpenAiChatModel } from './openai-chat-model.js';
import { ProviderClient } from './provider-error.js';

/** The time limit for reasoning, as a multiple of that for the first token: by default a minute, half of a run's time. */
const THINKING_FACTOR = 4;

/** The configured models in order; none without an API key. */
export function openModelChain(
  config: AgentConfig,
  breaker: CircuitBreaker,
  onOutcome: (model: string, outcome: string) => void,
): ModelChain {
  const { GEMINI_API_KEY: apiKey, GEMINI_BASE_URL: baseUrl } = config;
  if (apiKey === undefined) return new ModelChain([], breaker, onOutcome);
  // The SDK would log chunks it cannot parse, which may hold text of an answer.
  const client = new ProviderClient({ apiKey, baseURL: baseUrl, logLevel: 'off' });
  const limits = {
    firstTokenMs: config.GEMINI_FIRST_TOKEN_TIMEOUT_MS,
    idleMs: config.GEMINI_IDLE_TIMEOUT_MS,
    thinkingMs: config.GEMINI_FIRST_TOKEN_TIMEOUT_MS * THINKING_FACTOR,
  };
  const models = config.GEMINI_MODELS.map((name) => {
    const id = modelId({ baseUrl, apiKey, model: name });
    return new OpenAiChatModel(client, id, name, limits);
  });
  return new ModelChain(models, breaker, onOutcome);
}
