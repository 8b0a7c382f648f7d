import {
  ACTIVE_MESSAGES,
  jsonValueSchema,
  THREADS_PER_PAGE_DEFAULT,
  THREADS_PER_PAGE_MAX,
  threadDetailsSchema,
  threadListSchema,
  threadMessageSchema,
  threadPatchSchema,
  threadSchema,
  threadSummarySchema,
} from '@quire/shared/contracts';
import type { ErrorCode } from '@quire/shared/errors';
import { json, schemaOf, type ApiGroup, type Operation, type Parameter } from '../openapi/api-description.js';
import { EXAMPLE_SESSION_ID } from '../openapi/shared-parts.js';
import * as examples from './threads.examples.js';

const sessionId: Parameter = {
  name: 'session_id',
  in: 'path',
  required: true,
  description: 'The thread: the `session_id` of its questions.',
  schema: { type: 'string', format: 'uuid' },
  example: EXAMPLE_SESSION_ID,
};

const threadErrors: readonly ErrorCode[] = ['NOT_FOUND', 'STORAGE_UNAVAILABLE'];
const changeErrors: readonly ErrorCode[] = [...threadErrors, 'QUEUE_UNAVAILABLE', 'RATE_LIMITED'];

const read = (about: Pick<Operation, 'operationId' | 'summary'>): Operation => ({
  ...about,
  parameters: [
    sessionId,
    {
      name: 'include',
      in: 'query',
      description: `\`archived\`: older messages than the newest ${ACTIVE_MESSAGES}, too.`,
      schema: { type: 'string', const: 'archived' },
    },
    {
      name: 'before',
      in: 'query',
      description: 'The `next_before` of an earlier answer: the messages before it.',
      schema: { type: 'integer', minimum: 1 },
    },
  ],
  answers: {
    200: {
      description:
        'The thread with its messages, oldest first; `next_before` is there when older ones can be asked for.',
      content: json('Thread', { thread: { summary: 'A thread', value: examples.threadExample } }),
    },
  },
  errors: [...threadErrors, 'INVALID_REQUEST'],
});

export const threadsApi: ApiGroup = {
  name: 'Threads',
  description: "The caller's own conversations.",
  requests: { ThreadPatch: threadPatchSchema },
  answers: {
    ThreadList: threadListSchema,
    ThreadSummary: threadSummarySchema,
    ThreadDetails: threadDetailsSchema,
    ThreadMessage: threadMessageSchema,
    Thread: threadSchema,
    JsonValue: jsonValueSchema,
  },
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
            content: json('ThreadList', { page: { summary: 'A page', value: examples.threadListExample } }),
          },
        },
        errors: ['INVALID_REQUEST', 'STORAGE_UNAVAILABLE'],
      },
    },
    '/threads/{session_id}': {
      get: read({ operationId: 'getThread', summary: 'A thread and its messages' }),
      patch: {
        operationId: 'changeThread',
        summary: "Change a thread's metadata",
        description: 'A merge patch (RFC 7396): a key with null is removed, objects are merged.',
        parameters: [sessionId],
        body: {
          schema: schemaOf('ThreadPatch'),
          examples: { patch: { summary: 'Set one key, remove another', value: examples.threadPatchExample } },
        },
        bodyTypes: ['application/json', 'application/merge-patch+json'],
        answers: {
          200: {
            description: 'The thread as it is now.',
            content: json('ThreadDetails', {
              changed: { summary: 'Changed', value: examples.threadDetailsExample },
            }),
          },
        },
        errors: [...changeErrors, 'INVALID_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
      },
      delete: {
        operationId: 'deleteThread',
        summary: 'Delete a thread and all that belongs to it',
        description: 'Messages, runs, their events and feedback. A run that is still under way is cancelled.',
        parameters: [sessionId],
        answers: { 204: { description: 'Deleted.' } },
        errors: changeErrors,
      },
    },
    '/history/{session_id}': {
      get: read({ operationId: 'getHistory', summary: 'The same as GET /threads/{session_id}' }),
    },
  },
};
