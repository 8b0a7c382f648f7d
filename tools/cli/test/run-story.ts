import type { BookSource, ChatResponse, RunEvent } from '@quire/shared/contracts';
import { RUN } from './scripted-gateway.js';

export const SESSION = '22222222-2222-4222-8222-222222222222';
export const ANSWER = 'Nodes exchange messages on topics [1].';

export const bookSource = (change: Partial<BookSource> = {}): BookSource => ({
  marker: 1,
  source_url: 'https://physical-ai.example/docs/ros2/nodes#graph',
  title: 'Nodes and Topics',
  chapter: 'Nodes and Topics',
  section: 'The computation graph > Topics',
  module: 'ros2',
  chunk_position: 2,
  similarity_score: 0.8,
  snippet: 'Nodes discover one another…',
  chunk_id: 'chunk-1',
  content_hash: 'hash-1',
  ...change,
});

export function response(
  change: Partial<Omit<ChatResponse, 'metadata'>> = {},
  metadata: Partial<ChatResponse['metadata']> = {},
): ChatResponse {
  return {
    request_id: RUN,
    session_id: SESSION,
    query: 'How do nodes communicate?',
    answer: ANSWER,
    sources: [bookSource()],
    confidence: 0.8,
    confidence_level: 'high',
    should_answer: true,
    timestamp: '2026-11-16T12:00:00.000Z',
    metadata: {
      mode: 'full',
      low_confidence: false,
      retrieval_count: 3,
      model: 'scripted',
      tokens_used: { prompt: 1200, completion: 34, total: 1234 },
      timings_ms: { queued: 1, retrieval: 200, generation: 3000, total: 3240 },
      attempts: 1,
      ...metadata,
    },
    ...change,
  };
}

export const queued = (position = 1): RunEvent => ({ type: 'queued', data: { request_id: RUN, position } });
export const status = (state: 'retrieving' | 'generating'): RunEvent => ({
  type: 'status',
  data: { request_id: RUN, state },
});
export const delta = (text: string): RunEvent => ({ type: 'delta', data: { request_id: RUN, text } });
export const reset = (): RunEvent => ({
  type: 'reset',
  data: { request_id: RUN, attempt: 2, reason: 'taken_over' },
});
export const completed = (data = response()): RunEvent => ({ type: 'completed', data });
export const failed = (): RunEvent => ({
  type: 'failed',
  data: {
    request_id: RUN,
    error_code: 'RETRIEVAL_UNAVAILABLE',
    message: 'The index is not reachable',
    retry_after: 7,
  },
});
export const cancelled = (total: number): RunEvent => ({
  type: 'cancelled',
  data: { request_id: RUN, tokens_used: { prompt: total, completion: 0, total } },
});
