import OpenAI, { APIError } from 'openai';
import { batchedEmbedder, REMOTE_CALLS_AT_ONCE } from './batched-embedder.js';
import type { Embedder } from './embedder.js';
import { providerFailure, type ProviderAnswer } from '../providers/provider-failure.js';
import type { ObserveEmbeddingCall } from './embedding-call.js';
import { TIME_LIMIT_MS, withinTimeLimit } from '../providers/time-limit.js';

/** The smallest number of texts among the servers that speak this protocol (Gemini's). */
const CALL_LIMITS = { texts: 100, atOnce: REMOTE_CALLS_AT_ONCE };

export interface OpenAiEmbedderOptions {
  apiKey: string;
  baseUrl: string;
  model: string;
  dimensions: number;
}

/** Any server with an OpenAI-compatible `/embeddings`. The protocol does not tell queries from documents. */
export function openOpenAiEmbedder(
  { apiKey, baseUrl, model, dimensions }: OpenAiEmbedderOptions,
  observe?: ObserveEmbeddingCall,
): Embedder {
  // Calls are tried again in one place for all providers; retries here as well would multiply.
  const client = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0 });
  const id = `openai:${model}`;
  return batchedEmbedder({
    id,
    dimensions,
    callLimits: CALL_LIMITS,
    gainsByFullCalls: true,
    observe,
    embedBatch: (texts, purpose, signal) =>
      withinTimeLimit(TIME_LIMIT_MS[purpose], signal, async (limited) => {
        try {
          const answer = await client.embeddings.create(
            // The SDK would ask for base64, which not every compatible server speaks.
            { model, input: texts, dimensions, encoding_format: 'float' },
            { signal: limited },
          );
          return answer.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
        } catch (error) {
          throw providerFailure(id, answerOf(error), error);
        }
      }),
    close: () => Promise.resolve(),
  });
}

function answerOf(error: unknown): ProviderAnswer {
  return error instanceof APIError ? (error as ProviderAnswer) : {};
}
