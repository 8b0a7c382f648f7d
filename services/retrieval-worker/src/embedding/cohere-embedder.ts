import { CohereClientV2, CohereError } from 'cohere-ai';
import { embedInBatches } from './embed-in-batches.js';
import { embedderFailure } from './embedder-failure.js';
import { TIME_LIMIT_MS } from './time-limit.js';
import type { Embedder } from './embedder.js';

/** Cohere's default output per model; the protocol has no way to ask. */
export const cohereDimensions: Readonly<Record<string, number>> = {
  'embed-v4.0': 1536,
  'embed-english-v3.0': 1024,
  'embed-english-light-v3.0': 384,
  'embed-multilingual-v3.0': 1024,
  'embed-multilingual-light-v3.0': 384,
};

const TEXTS_PER_CALL = 96;
const inputTypeOf = { query: 'search_query', document: 'search_document' } as const;

export interface CohereEmbedderOptions {
  apiKey: string;
  model: string;
  dimensions: number;
  baseUrl?: string | undefined;
}

export function openCohereEmbedder({ apiKey, model, dimensions, baseUrl }: CohereEmbedderOptions): Embedder {
  const client = new CohereClientV2({
    token: apiKey,
    // The job is tried again with backoff; retries here as well would multiply.
    maxRetries: 0,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  const id = `cohere:${model}`;
  const limits = { embedderId: id, dimensions, textsPerBatch: TEXTS_PER_CALL, parallel: 1 };
  return {
    id,
    dimensions,
    embed: (texts, purpose, signal) =>
      embedInBatches(texts, limits, signal, async (batch) => {
        try {
          const answer = await client.embed(
            { model, texts: batch, inputType: inputTypeOf[purpose], embeddingTypes: ['float'] },
            { abortSignal: signal, timeoutInSeconds: TIME_LIMIT_MS[purpose] / 1000 },
          );
          return answer.embeddings.float ?? [];
        } catch (error) {
          signal.throwIfAborted();
          throw embedderFailure(id, error instanceof CohereError ? error.statusCode : undefined, error);
        }
      }),
    close: () => Promise.resolve(),
  };
}
