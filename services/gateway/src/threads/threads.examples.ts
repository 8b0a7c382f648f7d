import type { Thread, ThreadDetails, ThreadList, ThreadSummary } from '@quire/shared/contracts';
import { EXAMPLE_REQUEST_ID, EXAMPLE_SESSION_ID, EXAMPLE_TIME } from '../openapi/example-values.js';
import { encodeCursor } from './thread-cursor.js';

const summary: ThreadSummary = {
  session_id: EXAMPLE_SESSION_ID,
  title: 'How do ROS 2 nodes communicate?',
  topic_summary: null,
  status: 'active',
  message_count: 2,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
};

export const threadListExample: ThreadList = {
  threads: [summary],
  next_cursor: encodeCursor({ updatedAt: '2026-11-18T03:15:47.669000Z', id: EXAMPLE_SESSION_ID }),
};

export const threadPatchExample = { metadata: { course: 'robotics-101', draft: null } };

export const threadDetailsExample: ThreadDetails = { ...summary, metadata: { course: 'robotics-101' } };

const common = { request_id: EXAMPLE_REQUEST_ID, archived: false, created_at: EXAMPLE_TIME };

export const threadExample: Thread = {
  ...threadDetailsExample,
  messages: [
    { role: 'user', seq: 1, content: 'How do ROS 2 nodes communicate?', ...common },
    {
      role: 'assistant',
      seq: 2,
      content: 'Nodes publish messages to topics [1].',
      ...common,
      confidence: 0.82,
      confidence_level: 'high',
      sources: [
        {
          marker: 1,
          source_url: 'https://physical-ai.example/docs/ros2/nodes-and-topics#the-computation-graph',
          title: 'Nodes and Topics',
          chapter: 'Nodes and Topics',
          section: 'The computation graph',
          module: 'ros2',
          chunk_position: 1,
          similarity_score: 0.82,
          snippet: 'Nodes *publish* to topics…',
          chunk_id: 'ce35ee60-5ef8-56f7-9fd6-00eb0ece5b05',
          content_hash: 'bef706b57f12035c655e753ac91fcc936ad0bab5f7f3d8eb879aa1ea8b03e04e',
        },
      ],
      retrieval_calls: [
        {
          tool: 'search_book_content',
          query: 'How do ROS 2 nodes communicate?',
          results: 5,
          mean_similarity: 0.82,
          took_ms: 14,
          at: EXAMPLE_TIME,
        },
      ],
    },
  ],
};
