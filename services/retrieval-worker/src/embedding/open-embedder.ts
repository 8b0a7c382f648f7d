import { openCohereEmbedder, type CohereEmbedderOptions } from './cohere-embedder.js';
import type { Embedder } from './embedder.js';
import { openLocalEmbedder } from './local-embedder.js';
import { openOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.js';

export type EmbedderOptions =
  | ({ kind: 'cohere' } & CohereEmbedderOptions)
  | ({ kind: 'openai' } & OpenAiEmbedderOptions)
  | { kind: 'local' };
export type EmbedderKind = EmbedderOptions['kind'];

export function openEmbedder(options: EmbedderOptions): Embedder {
  switch (options.kind) {
    case 'cohere':
      return openCohereEmbedder(options);
    case 'openai':
      return openOpenAiEmbedder(options);
    case 'local':
      return openLocalEmbedder();
  }
}
