import OpenAI, { APIError } from 'openai';
import { batchedEmbedder, REMOTE_CALLS_AT_ONCE } from './batched-embedder.js';
import type { Embedder } from './embedder.js';
import { providerFailure, type ProviderResponse } from '../providers/provider-failure.js';
import type { ObserveEmbeddingCall } from './embedding-call.js';
import { TIME_LIMIT_MS, withinTimeLimit } from '../time-limit.js';

/** Gemini's limit, the lowest among the servers with this protocol. */
const CALL_LIMITS = { texts: 100, atOnce: REMOTE_CALLS_AT_ONCE };

export interface OpenAiEmbedderOptions {
  apiKey: string;
  baseUrl: string;
  model: string;
  dimensions: number;
}

/** Any server with an OpenAI-compatible `/embeddings`. The protocol does not distinguish queries from documents. */
export function openOpenAiEmbedder(
  { apiKey, baseUrl, model, dimensions }: OpenAiEmbedderOptions,
  observe?: ObserveEmbeddingCall,
): Embedder {
  // `try-calls.ts` retries for all providers; retries here would multiply.
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
          const response = await client.embeddings.create(
            // The SDK's default is base64, which not every compatible server supports.
            { model, input: texts, dimensions, encoding_format: 'float' },
            { signal: limited },
          );
          return response.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
        } catch (error) {
          throw providerFailure(id, responseOf(error), error);
        }
      }),
    close: () => Promise.resolve(),
  });
}

function responseOf(error: unknown): ProviderResponse {
  return error instanceof APIError ? (error as ProviderResponse) : {};
}
