import type { PresetName } from '../confidence/presets.js';

export interface EmbedderProfile {
  preset: PresetName;
  /** Weight of the cosine relative to the BM25 score: high for a strong embedder. */
  fusionWeight: number;
}

/** By prefix of the embedder's id. Some servers put a provider before the model: `openai:openai/text-…`. */
const profiles: readonly (readonly [id: RegExp, profile: EmbedderProfile])[] = [
  [/^local:/, { preset: 'local', fusionWeight: 0.2 }],
  [/^cohere:/, { preset: 'cohere', fusionWeight: 2 }],
  [/^openai:(.*\/)?text-embedding-3-(small|large)/, { preset: 'text-embedding-3', fusionWeight: 2 }],
];

/** Unknown embedders count as strong, but their cosines mean nothing until they are calibrated. */
const unknownScale: EmbedderProfile = { preset: 'words', fusionWeight: 2 };

/** @param embedderId such as `cohere:embed-english-v3.0` */
export function profileOf(embedderId: string): EmbedderProfile {
  return profiles.find(([id]) => id.test(embedderId))?.[1] ?? unknownScale;
}
