import type { Logger } from '@quire/shared/logging';
import { CohereClientV2 } from 'cohere-ai';
import { cohereResponse } from '../providers/cohere-response.js';
import { ProviderBreaker } from '../providers/provider-breaker.js';
import { providerFailure } from '../providers/provider-failure.js';
import { TIME_LIMIT_MS, withinTimeLimit } from '../time-limit.js';
import type { Reranker } from './reranker.js';

export interface CohereRerankerOptions {
  apiKey: string;
  model: string;
  baseUrl?: string | undefined;
}

export function openCohereReranker(
  { apiKey, model, baseUrl }: CohereRerankerOptions,
  logger: Logger,
): Reranker {
  const client = new CohereClientV2({
    token: apiKey,
    maxRetries: 0,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  const id = `cohere:${model}`;
  const breaker = new ProviderBreaker({ work: 'Reranking', logger });
  return {
    rank: (question, texts, signal) =>
      breaker.call(() =>
        withinTimeLimit(TIME_LIMIT_MS.query, signal, async (limited) => {
          try {
            const request = { model, query: question, documents: [...texts] };
            const { results } = await client.rerank(request, { abortSignal: limited });
            return results.map(({ index }) => index);
          } catch (error) {
            throw providerFailure(id, cohereResponse(error), error);
          }
        }),
      ),
  };
}
