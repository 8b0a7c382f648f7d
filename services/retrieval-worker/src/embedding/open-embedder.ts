import { openCohereEmbedder, type CohereEmbedderOptions } from './cohere-embedder.js';
import type { Embedder } from './embedder.js';
import type { ObserveEmbeddingCall } from './embedding-call.js';
import { openLocalEmbedder } from './local-embedder.js';
import { openOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.js';

export type EmbedderOptions =
  | ({ kind: 'cohere' } & CohereEmbedderOptions)
  | ({ kind: 'openai' } & OpenAiEmbedderOptions)
  | { kind: 'local' };
export type EmbedderKind = EmbedderOptions['kind'];

export function openEmbedder(options: EmbedderOptions, observe?: ObserveEmbeddingCall): Embedder {
  switch (options.kind) {
    case 'cohere':
      return openCohereEmbedder(options, observe);
    case 'openai':
      return openOpenAiEmbedder(options, observe);
    case 'local':
      return openLocalEmbedder({ observe });
  }
}
