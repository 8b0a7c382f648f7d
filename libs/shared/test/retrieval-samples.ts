import { randomUUID } from 'node:crypto';
import type { RetrievalResult } from '../src/contracts/index.js';
import type { JobPayload } from '../src/jobs/index.js';

export const retrievalPayload = (query = 'How do nodes communicate?'): JobPayload<'retrieval'> => ({
  query,
  top_k: 5,
  request_id: randomUUID(),
  deadline_at: Date.now() + 60_000,
  reply_to: 'nobody',
});

export const retrievalResult = (text = 'Nodes exchange messages on topics.'): RetrievalResult => ({
  chunks: [
    {
      chunk_id: 'c1',
      text,
      title: 'Nodes',
      chapter: 'Middleware',
      section: 'Topics',
      module: 'ros2',
      url: 'https://book.example/nodes#topics',
      chunk_index: 0,
      char_start: 0,
      char_end: text.length,
      content_hash: 'abc',
      similarity: 0.7,
    },
  ],
  confidence: {
    average_similarity: 0.7,
    min_similarity: 0.7,
    max_similarity: 0.7,
    lexical_score: 0.5,
    num_chunks: 1,
    chunk_diversity: 0,
    confidence_level: 'medium',
    should_answer: true,
  },
  timings_ms: { embedding: 1, search: 1, total: 2 },
});
