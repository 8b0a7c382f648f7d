import type { ConfidenceLevel, RetrievalResult } from '@quire/shared/contracts';

/** What retrieval finds for a question: passages numbered 1 to `count`. */
export function foundPassages(count = 3, level: ConfidenceLevel = 'high'): RetrievalResult {
  return {
    chunks: Array.from({ length: count }, (_, i) => ({
      chunk_id: `chunk-${i + 1}`,
      text: `Text of passage ${i + 1} about nodes and topics.`,
      title: `Page ${i + 1}`,
      chapter: `Page ${i + 1}`,
      section: 'Topics',
      module: 'ros2',
      url: `https://book.example/docs/ros2/page-${i + 1}#topics`,
      chunk_index: i,
      char_start: 0,
      char_end: 40,
      content_hash: String(i + 1).repeat(64),
      similarity: 0.9 - i / 10,
    })),
    confidence: {
      average_similarity: 0.8,
      min_similarity: 0.7,
      max_similarity: 0.9,
      num_chunks: count,
      chunk_diversity: 0.2,
      confidence_level: level,
      should_answer: level !== 'insufficient',
    },
    timings_ms: { embedding: 1, search: 1, total: 2 },
  };
}
