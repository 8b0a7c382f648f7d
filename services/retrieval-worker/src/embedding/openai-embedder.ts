import OpenAI, { APIError } from 'openai';
import { embedInBatches } from './embed-in-batches.js';
import { embedderFailure } from './embedder-failure.js';
import { TIME_LIMIT_MS } from './time-limit.js';
import type { Embedder } from './embedder.js';

/** The smallest limit among the servers that speak this protocol (Gemini's). */
const TEXTS_PER_CALL = 100;

export interface OpenAiEmbedderOptions {
  apiKey: string;
  baseUrl: string;
  model: string;
  dimensions: number;
}

/** Any server with an OpenAI-compatible `/embeddings`. The protocol does not tell queries from documents. */
export function openOpenAiEmbedder({ apiKey, baseUrl, model, dimensions }: OpenAiEmbedderOptions): Embedder {
  // The job is tried again with backoff; retries here as well would multiply.
  const client = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0 });
  const id = `openai:${model}`;
  const limits = { embedderId: id, dimensions, textsPerBatch: TEXTS_PER_CALL, parallel: 1 };
  return {
    id,
    dimensions,
    embed: (texts, purpose, signal) =>
      embedInBatches(texts, limits, signal, async (batch) => {
        try {
          const answer = await client.embeddings.create(
            // The SDK would ask for base64, which not every compatible server speaks.
            { model, input: batch, dimensions, encoding_format: 'float' },
            { signal, timeout: TIME_LIMIT_MS[purpose] },
          );
          return answer.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
        } catch (error) {
          signal.throwIfAborted();
          throw embedderFailure(
            id,
            error instanceof APIError ? (error.status as number | undefined) : undefined,
            error,
          );
        }
      }),
    close: () => Promise.resolve(),
  };
}
