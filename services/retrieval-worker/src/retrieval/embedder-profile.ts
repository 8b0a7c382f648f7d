import type { PresetName } from '../confidence/presets.js';
import type { EmbedderKind } from '../embedding/open-embedder.js';

export interface EmbedderProfile {
  preset: PresetName;
  /** How much the cosine counts beside the words: a strong embedder leads, a weak one only nudges. */
  fusionWeight: number;
}

const embedderProfiles: Record<EmbedderKind, EmbedderProfile> = {
  cohere: { preset: 'tiered', fusionWeight: 2 },
  openai: { preset: 'strict', fusionWeight: 2 },
  local: { preset: 'local', fusionWeight: 0.2 },
};

/** By the id an index or embedder carries, such as `cohere:embed-english-v3.0`. */
export function profileOf(embedderId: string): EmbedderProfile {
  const [kind = ''] = embedderId.split(':', 1);
  // An index that somebody else's version made is refused at start; until then it is nobody's weak embedder.
  return kind in embedderProfiles ? embedderProfiles[kind as EmbedderKind] : embedderProfiles.openai;
}
