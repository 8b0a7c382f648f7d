import type { SearchResponse } from '@quire/shared/contracts';
import { EXAMPLE_REQUEST_ID, EXAMPLE_TIME } from '../openapi/example-values.js';

export const searchExample: SearchResponse = {
  request_id: EXAMPLE_REQUEST_ID,
  query: 'How do ROS 2 nodes communicate?',
  results: [
    {
      rank: 1,
      source_url: 'https://physical-ai.example/docs/ros2/nodes-and-topics#the-computation-graph',
      title: 'Nodes and Topics',
      chapter: 'Nodes and Topics',
      section: 'The computation graph',
      module: 'ros2',
      chunk_position: 1,
      similarity_score: 0.6834,
      snippet: 'A **topic** is a named stream of messages of one fixed type.',
      chunk_id: 'ce35ee60-5ef8-56f7-9fd6-00eb0ece5b05',
      content_hash: 'bef706b57f12035c655e753ac91fcc936ad0bab5f7f3d8eb879aa1ea8b03e04e',
      text: 'A **topic** is a named stream of messages of one fixed type.',
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
