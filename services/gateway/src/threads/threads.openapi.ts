import {
  THREADS_PER_PAGE_DEFAULT,
  THREADS_PER_PAGE_MAX,
  threadListSchema,
  threadSummarySchema,
  type ThreadList,
} from '@quire/shared/contracts';
import { json, type ApiGroup } from '../openapi/api-description.js';
import { EXAMPLE_SESSION_ID, EXAMPLE_TIME } from '../openapi/shared-parts.js';
import { encodeCursor } from './thread-cursor.js';

const cursor = encodeCursor({ updatedAt: '2026-11-18T03:15:47.669000Z', id: EXAMPLE_SESSION_ID });

const list: ThreadList = {
  threads: [
    {
      session_id: EXAMPLE_SESSION_ID,
      title: 'How do ROS 2 nodes communicate?',
      message_count: 2,
      created_at: EXAMPLE_TIME,
      updated_at: EXAMPLE_TIME,
    },
  ],
  next_cursor: cursor,
};

export const threadsApi: ApiGroup = {
  name: 'Threads',
  description: "The caller's own conversations.",
  answers: { ThreadList: threadListSchema, ThreadSummary: threadSummarySchema },
  paths: {
    '/threads': {
      get: {
        operationId: 'listThreads',
        summary: 'The threads, newest first',
        parameters: [
          {
            name: 'limit',
            in: 'query',
            description: 'How many at most.',
            schema: {
              type: 'integer',
              minimum: 1,
              maximum: THREADS_PER_PAGE_MAX,
              default: THREADS_PER_PAGE_DEFAULT,
            },
          },
          {
            name: 'cursor',
            in: 'query',
            description: 'The `next_cursor` of an earlier page.',
            schema: { type: 'string' },
          },
        ],
        answers: {
          200: {
            description: 'A page; `next_cursor` is there when more follow.',
            content: json('ThreadList', { page: { summary: 'A page', value: list } }),
          },
        },
        errors: ['INVALID_REQUEST', 'STORAGE_UNAVAILABLE'],
      },
    },
  },
};
