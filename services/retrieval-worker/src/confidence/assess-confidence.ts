import type { ConfidenceMetrics } from '@quire/shared/contracts';
import { chunkDiversity } from './chunk-diversity.js';
import type { ConfidencePreset } from './presets.js';

export interface ScoredPassage {
  similarity: number;
  vector: readonly number[];
}

/** How far the passages can be trusted to hold the answer. */
export function assessConfidence(
  passages: readonly ScoredPassage[],
  preset: ConfidencePreset,
): ConfidenceMetrics {
  const similarities = passages.map(({ similarity }) => similarity);
  const count = similarities.length;
  const best = count === 0 ? 0 : Math.max(...similarities);
  const average = count === 0 ? 0 : similarities.reduce((sum, similarity) => sum + similarity, 0) / count;
  const measured = { average, best };
  const reached = preset.levels.find(
    (rule) => count >= rule.chunks && measured[rule.measure] >= rule.atLeast,
  );
  return {
    average_similarity: average,
    min_similarity: count === 0 ? 0 : Math.min(...similarities),
    max_similarity: best,
    num_chunks: count,
    chunk_diversity: chunkDiversity(passages.map(({ vector }) => vector)),
    confidence_level: reached?.level ?? 'insufficient',
    should_answer: reached !== undefined,
  };
}
