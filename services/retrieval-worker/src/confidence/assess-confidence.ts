import type { ConfidenceMetrics, ConfidencePreset } from '@quire/shared/contracts';
import { chunkDiversity } from './chunk-diversity.js';

export interface ScoredPassage {
  similarity: number;
  direction(): ArrayLike<number>;
}

/** How likely the passages contain the answer. */
export function assessConfidence(
  passages: readonly ScoredPassage[],
  lexicalScore: number,
  preset: ConfidencePreset,
): ConfidenceMetrics {
  const similarities = passages.map(({ similarity }) => similarity);
  const count = similarities.length;
  const best = count === 0 ? 0 : Math.max(...similarities);
  const average = count === 0 ? 0 : similarities.reduce((sum, similarity) => sum + similarity, 0) / count;
  const measured = { average, best, lexical: lexicalScore, evidence: (best + lexicalScore) / 2 };
  const reached = preset.levels.find(
    (rule) => count >= rule.chunks && measured[rule.measure] >= rule.atLeast,
  );
  return {
    average_similarity: average,
    min_similarity: count === 0 ? 0 : Math.min(...similarities),
    max_similarity: best,
    lexical_score: lexicalScore,
    num_chunks: count,
    chunk_diversity: chunkDiversity(passages.map(({ direction }) => direction())),
    confidence_level: reached?.level ?? 'insufficient',
    should_answer: reached !== undefined,
  };
}

/** Matching words do not show how well a passage fits, so the level is at most `low`. */
export function assessWithoutVector(
  passages: readonly ScoredPassage[],
  lexicalScore: number,
): ConfidenceMetrics {
  const found = passages.length > 0;
  return {
    average_similarity: 0,
    min_similarity: 0,
    max_similarity: 0,
    lexical_score: lexicalScore,
    num_chunks: passages.length,
    chunk_diversity: chunkDiversity(passages.map(({ direction }) => direction())),
    confidence_level: found ? 'low' : 'insufficient',
    should_answer: found,
  };
}
