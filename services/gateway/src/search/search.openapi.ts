import { searchRequestBodySchema, searchResponseSchema, type SearchResponse } from '@quire/shared/contracts';
import { json, schemaOf, type ApiGroup } from '../openapi/api-description.js';
import { EXAMPLE_REQUEST_ID, EXAMPLE_TIME } from '../openapi/shared-parts.js';

const found: SearchResponse = {
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

export const searchApi: ApiGroup = {
  name: 'Search',
  description: 'The passages alone.',
  requests: { SearchRequest: searchRequestBodySchema },
  answers: { SearchResponse: searchResponseSchema },
  paths: {
    '/search': {
      post: {
        operationId: 'search',
        summary: 'Find passages, without an answer',
        body: {
          schema: schemaOf('SearchRequest'),
          examples: {
            search: { summary: 'A search', value: { query: found.query, top_k: 3 } },
            filtered: {
              summary: 'In one part of the book',
              value: { query: found.query, filters: { module: 'ros2' }, similarity_threshold: 0.4 },
            },
          },
        },
        answers: {
          200: {
            description: 'The passages, best first.',
            content: json('SearchResponse', { found: { summary: 'One passage', value: found } }),
          },
        },
        errors: [
          'EMPTY_QUERY',
          'QUERY_TOO_LONG',
          'INVALID_REQUEST',
          'PAYLOAD_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
          'RETRIEVAL_UNAVAILABLE',
          'QUEUE_UNAVAILABLE',
          'SHUTTING_DOWN',
          'RATE_LIMITED',
          'TOO_MANY_CONCURRENT',
        ],
      },
    },
  },
};
