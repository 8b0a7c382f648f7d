import type { ChatResponse, RunEvent, RunOutcome, RunState } from '../src/contracts/index.js';

export const deltaEvent = (runId: string, text: string): RunEvent => ({
  type: 'delta',
  data: { request_id: runId, text },
});

export const statusEvent = (runId: string, state: RunState = 'generating'): RunEvent => ({
  type: 'status',
  data: { request_id: runId, state },
});

export const queuedEvent = (runId: string, position: number): RunEvent => ({
  type: 'queued',
  data: { request_id: runId, position },
});

export const resetEvent = (runId: string, attempt = 2): RunEvent => ({
  type: 'reset',
  data: { request_id: runId, attempt, reason: 'taken_over' },
});

export const completedEvent = (runId: string, change: Partial<ChatResponse> = {}): RunOutcome => ({
  type: 'completed',
  data: {
    request_id: runId,
    session_id: '7b0c3a52-6d0f-4b3e-9a55-0d9a4c1f2e33',
    query: 'How do nodes communicate?',
    answer: 'Nodes exchange messages on topics.',
    sources: [],
    confidence: 0.8,
    confidence_level: 'high',
    should_answer: true,
    timestamp: '2026-11-16T12:00:00.000Z',
    metadata: {
      mode: 'full',
      low_confidence: false,
      retrieval_count: 3,
      model: 'scripted',
      tokens_used: { prompt: 1, completion: 2, total: 3 },
      timings_ms: { queued: 1, retrieval: 2, generation: 3, total: 6 },
      attempts: 1,
    },
    ...change,
  },
});

export const failedEvent = (runId: string): RunOutcome => ({
  type: 'failed',
  data: { request_id: runId, error_code: 'INTERNAL', message: 'Something went wrong on our side' },
});

export const cancelledEvent = (runId: string): RunOutcome => ({
  type: 'cancelled',
  data: { request_id: runId, tokens_used: { prompt: 5, completion: 1, total: 6 } },
});
