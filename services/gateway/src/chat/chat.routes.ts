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
import { jsonResponse, route, type ResponseDescription, type RouteGroup } from '../http/route.js';
import { ask, type AskDependencies } from './ask.js';
import * as examples from './chat.examples.js';
import { afterQuery, idempotencyKey, lastEventId, prefer } from './chat.parameters.js';
import { runRoutes, type RunDependencies } from './run.routes.js';
import { allEventsSent, eventSchemas, streamResponse } from './stream-response.js';

const refusals: readonly ErrorCode[] = [
  'EMPTY_QUERY',
  'QUERY_TOO_LONG',
  'INVALID_REQUEST',
  'INVALID_SESSION_ID',
  'IDEMPOTENCY_CONFLICT',
  'QUEUE_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'SHUTTING_DOWN',
  'OVERLOADED',
];
/** How a run can end, for callers that wait for the end. A stream has the same codes in its `failed` event. */
const failures: readonly ErrorCode[] = ['CANCELLED', 'RETRIEVAL_UNAVAILABLE', 'DEADLINE_EXCEEDED'];

const question = {
  method: 'post',
  scope: 'chat',
  limits: 'acceptance',
  body: {
    schema: chatRequestBodySchema,
    examples: {
      question: { summary: 'A question', value: examples.questionExample },
      followUp: { summary: 'A follow-up with all fields', value: examples.fullQuestionExample },
      selection: { summary: 'About selected text', value: examples.selectionExample },
    },
  },
} as const;

const answered: ResponseDescription = jsonResponse('The answer.', chatResponseSchema, {
  answer: { summary: 'An answer with its sources', value: examples.answerExample },
  sourcesOnly: { summary: 'No model: the sources alone', value: examples.sourcesOnlyExample },
});

const accepted: ResponseDescription = jsonResponse(
  'Accepted: the run continues without this connection.',
  acceptedRunSchema,
  { accepted: { summary: 'Accepted', value: examples.acceptedExample } },
  ['Location', 'Preference-Applied'],
);

const askInAnyForm = route({
  ...question,
  path: '/chat',
  operationId: 'ask',
  summary: 'Ask a question',
  description:
    'Responds with JSON, or with server-sent events if the body has `stream: true` or the `Accept` header names `text/event-stream`.',
  headers: { ...idempotencyKey, ...prefer, ...lastEventId },
  query: afterQuery,
  responses: { 200: { ...streamResponse, ...answered }, 202: accepted, 204: allEventsSent },
  errors: [...refusals, ...failures],
  handle: (deps: AskDependencies, call) => ask(deps, call),
});

const askForJson = route({
  ...question,
  path: '/chat/run',
  operationId: 'askForJson',
  summary: 'Ask a question, answered as JSON',
  headers: { ...idempotencyKey, ...prefer },
  responses: { 200: answered, 202: accepted },
  errors: [...refusals, ...failures],
  handle: (deps: AskDependencies, call) => ask(deps, call, 'json'),
});

const askForStream = route({
  ...question,
  path: '/chat/stream',
  operationId: 'askForStream',
  summary: 'Ask a question, answered as server-sent events',
  headers: { ...idempotencyKey, ...lastEventId },
  query: afterQuery,
  responses: { 200: streamResponse, 204: allEventsSent },
  errors: refusals,
  handle: (deps: AskDependencies, call) => ask(deps, call, 'sse'),
});

export const chatGroup: RouteGroup<AskDependencies & RunDependencies> = {
  name: 'Chat',
  description: 'Questions about the book, and the runs that answer them.',
  requests: { ChatRequest: chatRequestBodySchema, SearchFilters: searchFiltersSchema },
  responses: {
    ChatResponse: chatResponseSchema,
    Source: sourceSchema,
    TokensUsed: tokensUsedSchema,
    AcceptedRun: acceptedRunSchema,
    Run: runDescriptionSchema,
    Cancellation: cancellationSchema,
    ...eventSchemas,
  },
  routes: [askInAnyForm, askForJson, askForStream, ...runRoutes],
};
