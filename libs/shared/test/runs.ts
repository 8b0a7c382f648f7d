import { randomUUID } from 'node:crypto';
import type { NewRun, Turn } from '../src/database/index.js';

export const newRun = (change: Partial<NewRun> = {}): NewRun => ({
  id: randomUUID(),
  tenant: 'local',
  request: { message: 'How do nodes communicate?', session_id: randomUUID(), top_k: 5 },
  acceptedAt: new Date('2026-11-16T12:00:00.123Z'),
  deadlineAt: new Date('2026-11-16T12:02:00.456Z'),
  ...change,
});

export const newTurn = (threadId: string, change: Partial<Turn> = {}): Turn => ({
  threadId,
  tenant: 'local',
  runId: randomUUID(),
  question: 'How do nodes communicate?',
  answer: 'By topics.',
  confidence: 0.8,
  confidenceLevel: 'high',
  sources: [],
  retrievalCalls: [],
  ...change,
});
