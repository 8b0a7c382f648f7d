import type { RetrievalQuery, RetrievalResult } from '@quire/shared/contracts';
import { assessConfidence } from '../confidence/assess-confidence.js';
import type { ConfidencePreset } from '../confidence/presets.js';
import type { Embedder } from '../embedding/embedder.js';
import type { VectorIndex } from '../index/vector-index.js';
import { collapseDuplicates } from './collapse-duplicates.js';

/** More are asked for than wanted, since duplicates collapse. */
const CANDIDATES_PER_PASSAGE = 2;

export interface PassageSearch {
  embedder: Embedder;
  index: VectorIndex;
  preset: ConfidencePreset;
}

/** Question in, the best passages and how far to trust them out. */
export async function searchPassages(
  { embedder, index, preset }: PassageSearch,
  { query, top_k: wanted, similarity_threshold: threshold, filters }: RetrievalQuery,
  signal: AbortSignal,
): Promise<RetrievalResult> {
  const startedAt = performance.now();
  const [vector = []] = await embedder.embed([query], 'query', signal);
  const embeddedAt = performance.now();
  const candidates = await index.search({
    vector,
    limit: wanted * CANDIDATES_PER_PASSAGE,
    threshold: threshold ?? preset.similarityThreshold,
    filters,
  });
  const searchedAt = performance.now();
  const hits = collapseDuplicates(candidates).slice(0, wanted);
  return {
    chunks: hits.map(({ chunk, similarity }) => ({ ...chunk, similarity })),
    confidence: assessConfidence(hits, preset),
    timings_ms: {
      embedding: embeddedAt - startedAt,
      search: searchedAt - embeddedAt,
      total: performance.now() - startedAt,
    },
  };
}
