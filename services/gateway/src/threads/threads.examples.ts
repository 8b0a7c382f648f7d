import type { Thread, ThreadDetails, ThreadList, ThreadSummary } from '@quire/shared/contracts';
import {
  EXAMPLE_REQUEST_ID,
  EXAMPLE_SESSION_ID,
  EXAMPLE_TIME,
  examplePassage,
} from '../openapi/example-values.js';
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
      confidence: 0.6834,
      confidence_level: 'high',
      sources: [{ marker: 1, ...examplePassage }],
      retrieval_calls: [
        {
          tool: 'search_book_content',
          query: 'How do ROS 2 nodes communicate?',
          results: 5,
          mean_similarity: 0.6834,
          took_ms: 14,
          at: EXAMPLE_TIME,
        },
      ],
    },
  ],
};
