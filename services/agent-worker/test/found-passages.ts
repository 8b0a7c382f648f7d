import type { ConfidenceLevel, RetrievalResult, RetrievedChunk } from '@quire/shared/contracts';

/** A result of retrieval with passages numbered 1 to `count`. */
export function foundPassages(count = 3, level: ConfidenceLevel = 'high'): RetrievalResult {
  return {
    chunks: Array.from({ length: count }, (_, i) => chunkNumbered(i + 1)),
    confidence: {
      average_similarity: 0.8,
      min_similarity: 0.7,
      max_similarity: 0.9,
      lexical_score: 0.5,
      num_chunks: count,
      chunk_diversity: 0.2,
      confidence_level: level,
      should_answer: level !== 'insufficient',
    },
    timings_ms: { embedding: 1, search: 1, total: 2 },
  };
}

export function chunkNumbered(number: number): RetrievedChunk {
  return {
    chunk_id: `chunk-${number}`,
    text: `Text of passage ${number} about nodes and topics.`,
    title: `Page ${number}`,
    chapter: `Page ${number}`,
    section: 'Topics',
    module: 'ros2',
    url: `https://book.example/docs/ros2/page-${number}#topics`,
    chunk_index: number - 1,
    char_start: 0,
    char_end: 40,
    content_hash: String(number).repeat(64).slice(0, 64),
    similarity: Math.max(0, 1 - number / 10),
  };
}
