import {
  acceptedRunSchema,
  cancellationSchema,
  chatRequestBodySchema,
  chatResponseSchema,
  runDescriptionSchema,
  searchFiltersSchema,
  sourceSchema,
  tokensUsedSchema,
} from '@quire/shared/contracts';
import type { ErrorCode } from '@quire/shared/errors';
import { json, schemaOf, type Answer, type ApiGroup, type Operation } from '../openapi/api-description.js';
import { headerOf, requestIdParameter } from '../openapi/shared-parts.js';
import * as examples from './chat.examples.js';
import { afterParameters, idempotencyKey, prefer } from './chat-parameters.openapi.js';
import { eventSchemas, streamAnswer } from './run-stream.openapi.js';

const body = {
  schema: schemaOf('ChatRequest'),
  examples: {
    question: { summary: 'A question', value: examples.questionExample },
    followUp: { summary: 'A follow-up with all the trimmings', value: examples.fullQuestionExample },
    selection: { summary: 'About selected text', value: examples.selectionExample },
  },
};

const answered: Answer = {
  description: 'The answer.',
  content: json('ChatResponse', {
    answer: { summary: 'An answer with its sources', value: examples.answerExample },
    sourcesOnly: { summary: 'No model: the sources alone', value: examples.sourcesOnlyExample },
  }),
};

const accepted: Answer = {
  description: 'Accepted: the run goes on without this connection.',
  headers: headerOf('Location', 'Preference-Applied'),
  content: json('AcceptedRun', { accepted: { summary: 'Accepted', value: examples.acceptedExample } }),
};

const nothingMore: Answer = { description: 'The client has seen the whole run.' };

const refusals: readonly ErrorCode[] = [
  'EMPTY_QUERY',
  'QUERY_TOO_LONG',
  'INVALID_REQUEST',
  'INVALID_SESSION_ID',
  'IDEMPOTENCY_CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'QUEUE_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'SHUTTING_DOWN',
  'RATE_LIMITED',
  'TOO_MANY_CONCURRENT',
  'OVERLOADED',
];
/** How a run can end, for callers that wait for the end. On a stream the same codes come as `failed`. */
const failures: readonly ErrorCode[] = ['CANCELLED', 'RETRIEVAL_UNAVAILABLE', 'DEADLINE_EXCEEDED'];

const ask = (about: Pick<Operation, 'operationId' | 'summary' | 'description'>): Operation => ({
  ...about,
  parameters: [idempotencyKey, prefer],
  body,
  answers: { 200: answered, 202: accepted },
  errors: [...refusals, ...failures],
});

const runErrors: readonly ErrorCode[] = ['NOT_FOUND', 'STORAGE_UNAVAILABLE'];

export const chatApi: ApiGroup = {
  name: 'Chat',
  description: 'Questions to the book, and the runs that answer them.',
  requests: { ChatRequest: chatRequestBodySchema, SearchFilters: searchFiltersSchema },
  answers: {
    ChatResponse: chatResponseSchema,
    Source: sourceSchema,
    TokensUsed: tokensUsedSchema,
    AcceptedRun: acceptedRunSchema,
    Run: runDescriptionSchema,
    Cancellation: cancellationSchema,
    ...eventSchemas,
  },
  paths: {
    '/chat': {
      post: {
        ...ask({
          operationId: 'ask',
          summary: 'Ask a question',
          description:
            'Answers as JSON, or as server-sent events if the body has `stream: true` or the `Accept` header names `text/event-stream`.',
        }),
        parameters: [idempotencyKey, prefer, ...afterParameters],
        answers: {
          200: { ...answered, content: { ...answered.content, ...streamAnswer.content } },
          202: accepted,
          204: nothingMore,
        },
      },
    },
    '/chat/run': { post: ask({ operationId: 'askForJson', summary: 'Ask a question, answered as JSON' }) },
    '/chat/stream': {
      post: {
        operationId: 'askForStream',
        summary: 'Ask a question, answered as server-sent events',
        parameters: [idempotencyKey, ...afterParameters],
        body,
        answers: { 200: streamAnswer, 204: nothingMore },
        errors: refusals,
      },
    },
    '/chat/{request_id}': {
      get: {
        operationId: 'getRun',
        summary: 'The state of a run and, when it has ended, its outcome',
        parameters: [requestIdParameter],
        answers: {
          200: {
            description: 'The run.',
            content: json('Run', {
              running: { summary: 'Under way', value: examples.runningExample },
              completed: { summary: 'Answered', value: examples.endedExample },
              failed: { summary: 'Failed', value: examples.failedExample },
            }),
          },
        },
        errors: runErrors,
      },
      delete: {
        operationId: 'cancelRun',
        summary: 'Cancel a run',
        description: 'Answers when the run has ended, by whatever end, with what it has spent.',
        parameters: [requestIdParameter],
        answers: {
          200: {
            description: 'The run has ended.',
            content: json('Cancellation', {
              cancelled: { summary: 'Cancelled', value: examples.cancelledExample },
            }),
          },
          202: {
            description: 'The worker has not confirmed yet.',
            headers: headerOf('Location'),
            content: json('Cancellation', {
              cancelling: { summary: 'Under way', value: examples.cancellingExample },
            }),
          },
        },
        errors: [...runErrors, 'QUEUE_UNAVAILABLE'],
      },
    },
    '/chat/{request_id}/stream': {
      get: {
        operationId: 'followRun',
        summary: 'Follow a run, or resume a stream that was cut',
        description: 'On any gateway, also when the run has ended.',
        parameters: [requestIdParameter, ...afterParameters],
        answers: { 200: streamAnswer, 204: nothingMore },
        errors: [...runErrors, 'QUEUE_UNAVAILABLE'],
      },
    },
  },
};
