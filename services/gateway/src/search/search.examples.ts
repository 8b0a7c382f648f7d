import type { SearchResponse } from '@quire/shared/contracts';
import { EXAMPLE_REQUEST_ID, EXAMPLE_TIME, examplePassage } from '../openapi/example-values.js';

export const searchExample: SearchResponse = {
  request_id: EXAMPLE_REQUEST_ID,
  query: 'How do ROS 2 nodes communicate?',
  results: [
    {
      rank: 1,
      ...examplePassage,
      text: 'A **topic** is a named stream of messages of one fixed type. Nodes *publish* to topics, to which others subscribe.',
    },
  ],
  confidence: 0.6834,
  confidence_level: 'high',
  should_answer: true,
  metrics: {
    average_similarity: 0.6834,
    min_similarity: 0.6834,
    max_similarity: 0.6834,
    lexical_score: 0.75,
    num_chunks: 1,
    chunk_diversity: 0,
  },
  timestamp: EXAMPLE_TIME,
  metadata: { retrieval_count: 1, timings_ms: { embedding: 1.2, search: 3.4, total: 9.8 } },
};
