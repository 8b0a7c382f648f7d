import { CohereClientV2 } from 'cohere-ai';
import { cohereResponse } from '../providers/cohere-response.js';
import { batchedEmbedder, REMOTE_CALLS_AT_ONCE } from './batched-embedder.js';
import type { Embedder } from './embedder.js';
import { providerFailure } from '../providers/provider-failure.js';
import type { ObserveEmbeddingCall } from './embedding-call.js';
import { TIME_LIMIT_MS, withinTimeLimit } from '../time-limit.js';

const CALL_LIMITS = { texts: 96, atOnce: REMOTE_CALLS_AT_ONCE };
const inputTypeOf = { query: 'search_query', document: 'search_document' } as const;

export interface CohereEmbedderOptions {
  apiKey: string;
  model: string;
  dimensions: number;
  baseUrl?: string | undefined;
}

export function openCohereEmbedder(
  { apiKey, model, dimensions, baseUrl }: CohereEmbedderOptions,
  observe?: ObserveEmbeddingCall,
): Embedder {
  const client = new CohereClientV2({
    token: apiKey,
    // `try-calls.ts` retries for all providers; retries here would multiply.
    maxRetries: 0,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  const id = `cohere:${model}`;
  return batchedEmbedder({
    id,
    dimensions,
    callLimits: CALL_LIMITS,
    gainsByFullCalls: true,
    observe,
    embedBatch: (texts, purpose, signal) =>
      withinTimeLimit(TIME_LIMIT_MS[purpose], signal, async (limited) => {
        try {
          const response = await client.embed(
            { model, texts, inputType: inputTypeOf[purpose], embeddingTypes: ['float'] },
            { abortSignal: limited },
          );
          return response.embeddings.float ?? [];
        } catch (error) {
          throw providerFailure(id, cohereResponse(error), error);
        }
      }),
    close: () => Promise.resolve(),
  });
}
