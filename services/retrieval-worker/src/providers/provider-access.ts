import type { RetrievalConfig } from '../config.js';
import { cohereDimensions } from '../embedding/cohere-dimensions.js';
import type { EmbedderAccess } from '../embedding/embedders.js';
import type { EmbedderOptions } from '../embedding/open-embedder.js';
import type { CohereRerankerOptions } from '../reranking/cohere-reranker.js';

export function embedderAccess(config: RetrievalConfig): EmbedderAccess {
  const { COHERE_API_KEY: cohereKey, EMBEDDING_API_KEY: openaiKey } = config;
  return {
    configured: embedderOptions(config),
    cohere: cohereKey === undefined ? undefined : { apiKey: cohereKey, baseUrl: config.COHERE_BASE_URL },
    openai: openaiKey === undefined ? undefined : { apiKey: openaiKey, baseUrl: config.EMBEDDING_BASE_URL },
  };
}

function embedderOptions(config: RetrievalConfig): EmbedderOptions {
  switch (config.EMBEDDER) {
    case 'cohere':
      return {
        kind: 'cohere',
        apiKey: config.COHERE_API_KEY ?? '',
        baseUrl: config.COHERE_BASE_URL,
        model: config.COHERE_EMBED_MODEL,
        dimensions: cohereDimensions[config.COHERE_EMBED_MODEL] ?? 0,
      };
    case 'openai':
      return {
        kind: 'openai',
        apiKey: config.EMBEDDING_API_KEY ?? '',
        baseUrl: config.EMBEDDING_BASE_URL,
        model: config.EMBEDDING_MODEL,
        dimensions: config.EMBEDDING_DIMENSIONS,
      };
    case 'local':
      return { kind: 'local' };
  }
}

export function rerankerAccess(config: RetrievalConfig): CohereRerankerOptions | undefined {
  const { COHERE_API_KEY: apiKey = '', COHERE_BASE_URL: baseUrl, COHERE_RERANK_MODEL: model } = config;
  return model === undefined ? undefined : { apiKey, baseUrl, model };
}
