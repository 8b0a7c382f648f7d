import type {
  AcceptedRun,
  Cancellation,
  ChatRequestBody,
  ChatResponse,
  RunDescription,
  RunEvent,
} from '@quire/shared/contracts';
import {
  EXAMPLE_REQUEST_ID,
  EXAMPLE_SESSION_ID,
  EXAMPLE_TIME,
  examplePassage,
} from '../openapi/example-values.js';
import { encodeEvent } from './sse-encoding.js';

const request_id = EXAMPLE_REQUEST_ID;
const session_id = EXAMPLE_SESSION_ID;

export const questionExample: Partial<ChatRequestBody> = { message: 'How do ROS 2 nodes communicate?' };

export const fullQuestionExample: Partial<ChatRequestBody> = {
  message: 'And how does that differ from a service?',
  session_id,
  top_k: 8,
  filters: { module: 'ros2' },
  metadata: { page: 'nodes-and-topics' },
  on_disconnect: 'continue',
  markup: 'safe',
};

export const selectionExample: Partial<ChatRequestBody> = {
  message: 'What is a topic?',
  selected_text: 'A topic is a named stream of messages of one fixed type.',
};

export const answerExample: ChatResponse = {
  request_id,
  session_id,
  query: 'How do ROS 2 nodes communicate?',
  answer: 'They publish messages to topics, to which other nodes subscribe [1].',
  sources: [{ marker: 1, ...examplePassage }],
  confidence: 0.6834,
  confidence_level: 'high',
  should_answer: true,
  timestamp: EXAMPLE_TIME,
  metadata: {
    mode: 'full',
    low_confidence: false,
    retrieval_count: 5,
    model: 'gemini-3.8-flash',
    tokens_used: { prompt: 1210, completion: 18, total: 1228 },
    timings_ms: { queued: 3, retrieval: 41, generation: 812, total: 856 },
    attempts: 1,
  },
};

export const sourcesOnlyExample: ChatResponse = {
  ...answerExample,
  answer: null,
  fallback_message: 'AI summarization unavailable',
  metadata: {
    ...answerExample.metadata,
    mode: 'retrieval_only',
    degraded_reason: 'model_not_configured',
    model: null,
    tokens_used: { prompt: 0, completion: 0, total: 0 },
  },
};

export const acceptedExample: AcceptedRun = { request_id, session_id };

const run = {
  request_id,
  session_id,
  accepted_at: EXAMPLE_TIME,
  deadline_at: '2026-11-18T03:17:47.669Z',
  attempts: 1,
};
export const runningExample: RunDescription = { ...run, state: 'generating' };
export const endedExample: RunDescription = { ...run, state: 'completed', response: answerExample };
export const failedExample: RunDescription = {
  ...run,
  state: 'failed',
  error: { request_id, error_code: 'RETRIEVAL_UNAVAILABLE', message: 'The index is not reachable' },
};

export const cancelledExample: Cancellation = {
  request_id,
  state: 'cancelled',
  tokens_used: { prompt: 1210, completion: 6, total: 1216 },
};
export const cancellingExample: Cancellation = { request_id, state: 'cancelling' };

const story: RunEvent[] = [
  { type: 'queued', data: { request_id, position: 1 } },
  { type: 'status', data: { request_id, state: 'retrieving' } },
  {
    type: 'retrieval',
    data: {
      request_id,
      sources: [{ rank: 1, ...examplePassage }],
      confidence: 0.6834,
      confidence_level: 'high',
      should_answer: true,
    },
  },
  { type: 'delta', data: { request_id, text: 'They publish messages to topics,' } },
  { type: 'delta', data: { request_id, text: ' to which other nodes subscribe [1].' } },
  { type: 'completed', data: answerExample },
];

const streamOf = (events: RunEvent[]) =>
  events.map(({ type, data }, i) => encodeEvent({ seq: i + 1, type, data: JSON.stringify(data) })).join('');

export const streamExample = streamOf(story);

/** The data of single events, by the event's name. */
export const streamedEventExamples = Object.fromEntries(
  story.map(({ type, data }) => [type, { summary: `The data of the event \`${type}\``, value: data }]),
);

export const failedStreamExample = streamOf([
  { type: 'queued', data: { request_id, position: 1 } },
  { type: 'reset', data: { request_id, attempt: 2, reason: 'worker_lost' } },
  { type: 'failed', data: failedExample.error },
]);

export const cancelledStreamExample = streamOf([
  { type: 'queued', data: { request_id, position: 1 } },
  { type: 'cancelled', data: { request_id, tokens_used: cancelledExample.tokens_used } },
]);
