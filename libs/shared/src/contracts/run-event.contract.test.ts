import { expect, it } from 'vitest';
import { cancelledEvent, completedEvent, deltaEvent, failedEvent } from '../../test/run-events.js';
import { resetEvent, statusEvent } from '../../test/run-events.js';
import {
  isTerminalType,
  runEventSchema,
  runOutcomeSchema,
  type RunEvent,
  type RunEventType,
} from './run-event.contract.js';
import type { RetrievedSource, Source } from './source.contract.js';

const runId = '3f0e8f5e-2f5c-4a51-9a51-5f3f1e0f6a10';

const passage = {
  source_url: 'https://book.example/nodes#topics',
  title: 'Nodes',
  chapter: 'Middleware',
  section: 'Topics',
  module: 'ros2',
  chunk_position: 3,
  similarity_score: 0.71,
  snippet: 'Nodes exchange messages …',
  chunk_id: 'c1',
  content_hash: 'abc',
};
const retrieved: RetrievedSource = { ...passage, rank: 1 };
const sources: Source[] = [
  { ...passage, marker: 1 },
  {
    source_type: 'selected_text',
    marker: 2,
    selection_length: 40,
    snippet: 'a span',
    char_start: 3,
    char_end: 9,
  },
];

const oneOfEach: { [Type in RunEventType]: RunEvent & { type: Type } } = {
  queued: { type: 'queued', data: { request_id: runId, position: 1 } },
  status: statusEvent(runId, 'retrieving') as RunEvent & { type: 'status' },
  retrieval: {
    type: 'retrieval',
    data: {
      request_id: runId,
      sources: [retrieved],
      confidence: 0.71,
      confidence_level: 'medium',
      should_answer: true,
      degraded_reason: 'embedding_unavailable',
    },
  },
  delta: deltaEvent(runId, 'Nodes ') as RunEvent & { type: 'delta' },
  reset: resetEvent(runId) as RunEvent & { type: 'reset' },
  completed: completedEvent(runId, { sources }) as RunEvent & { type: 'completed' },
  failed: failedEvent(runId) as RunEvent & { type: 'failed' },
  cancelled: cancelledEvent(runId) as RunEvent & { type: 'cancelled' },
};

it.each(Object.values(oneOfEach))('the event $type is unchanged by JSON', (event) => {
  expect(runEventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
});

it.each(Object.values(oneOfEach))('the event $type has a request_id', (event) => {
  const { request_id: _, ...rest } = event.data;
  expect(runEventSchema.safeParse({ type: event.type, data: rest }).success).toBe(false);
});

it('an event of an unknown type is invalid', () => {
  expect(runEventSchema.safeParse({ type: 'token', data: { request_id: runId } }).success).toBe(false);
});

it('an outcome is one of the terminal events, and no other event', () => {
  const outcomes = Object.values(oneOfEach).filter((event) => runOutcomeSchema.safeParse(event).success);
  expect(outcomes.map(({ type }) => type)).toEqual(['completed', 'failed', 'cancelled']);
});

it('isTerminalType is true for the types of outcomes only', () => {
  const terminal = [...Object.keys(oneOfEach), 'token', ''].filter(isTerminalType);
  expect(terminal).toEqual(['completed', 'failed', 'cancelled']);
});

it('an outcome with a confidence outside 0–1 is invalid', () => {
  expect(runOutcomeSchema.safeParse(completedEvent(runId, { confidence: 1.01 })).success).toBe(false);
  expect(runOutcomeSchema.safeParse(completedEvent(runId, { confidence: -0.01 })).success).toBe(false);
});
