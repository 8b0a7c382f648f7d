import type { PresetName } from '../confidence/presets.js';

export interface EmbedderProfile {
  preset: PresetName;
  /** How much the cosine counts beside the words: a strong embedder leads, a weak one only nudges. */
  fusionWeight: number;
}

/** By the beginning of an embedder's id. Some servers put a provider before the model: `openai:openai/text-…`. */
const profiles: readonly (readonly [id: RegExp, profile: EmbedderProfile])[] = [
  [/^local:/, { preset: 'local', fusionWeight: 0.2 }],
  [/^cohere:/, { preset: 'cohere', fusionWeight: 2 }],
  [/^openai:(.*\/)?text-embedding-3-(small|large)/, { preset: 'text-embedding-3', fusionWeight: 2 }],
];

/** Any other embedder is taken for a strong one, but its cosines say nothing until they are calibrated. */
const unknownScale: EmbedderProfile = { preset: 'words', fusionWeight: 2 };

/** By the id an index or embedder carries, such as `cohere:embed-english-v3.0`. */
export function profileOf(embedderId: string): EmbedderProfile {
  return profiles.find(([id]) => id.test(embedderId))?.[1] ?? unknownScale;
}
