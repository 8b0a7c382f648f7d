import type { RetrievalResult, RetrievedChunk, SearchResponse } from '@quire/shared/contracts';
import { bookPassage, overallConfidence, roundScore } from '@quire/shared/retrieval';

export interface CompletedSearch {
  requestId: string;
  query: string;
  found: RetrievalResult;
  /** How long the caller waited. */
  elapsedMs: number;
  now: Date;
}

/** The response of `POST /search`. */
export function searchResponse({ requestId, query, found, elapsedMs, now }: CompletedSearch): SearchResponse {
  const { chunks, confidence, degraded_reason, timings_ms } = found;
  return {
    request_id: requestId,
    query,
    results: chunks.map((chunk, i) => ({ rank: i + 1, ...bookPassage(chunk), ...wholeText(chunk) })),
    confidence: overallConfidence(confidence),
    confidence_level: confidence.confidence_level,
    should_answer: confidence.should_answer,
    metrics: {
      average_similarity: roundScore(confidence.average_similarity),
      min_similarity: roundScore(confidence.min_similarity),
      max_similarity: roundScore(confidence.max_similarity),
      lexical_score: roundScore(confidence.lexical_score),
      num_chunks: confidence.num_chunks,
      chunk_diversity: roundScore(confidence.chunk_diversity),
    },
    timestamp: now.toISOString(),
    metadata: {
      ...(degraded_reason !== undefined && { degraded_reason }),
      retrieval_count: chunks.length,
      timings_ms: {
        embedding: tenths(timings_ms.embedding),
        search: tenths(timings_ms.search),
        total: tenths(elapsedMs),
      },
    },
  };
}

const wholeText = ({ text, before, after }: RetrievedChunk) => ({
  text,
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

/** In tenths, because a search often takes less than a millisecond. */
const tenths = (ms: number): number => Math.round(ms * 10) / 10;
