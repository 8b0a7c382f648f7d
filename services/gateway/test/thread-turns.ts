import { randomUUID } from 'node:crypto';
import { appendTurn, finishRun, insertRuns, type Database, type Turn } from '@quire/shared/database';
import { completed } from './gateway-under-test.js';

export const aTurn = (change: Partial<Turn> = {}): Turn => ({
  threadId: randomUUID(),
  tenant: 'local',
  runId: randomUUID(),
  question: 'How do nodes communicate?',
  answer: 'By topics [1].',
  confidence: 0.8,
  confidenceLevel: 'high',
  sources: [],
  retrievalCalls: [],
  ...change,
});

/** A run with its turn, as the agent worker leaves them. */
export async function answered(db: Database, change: Partial<Turn> = {}): Promise<Turn> {
  const turn = aTurn(change);
  const acceptedAt = new Date();
  const deadlineAt = new Date(Date.now() + 60_000);
  const request = { message: turn.question, session_id: turn.threadId, top_k: 5 };
  await insertRuns(db, [{ id: turn.runId, tenant: turn.tenant, request, acceptedAt, deadlineAt }]);
  await finishRun(db, turn.runId, completed(turn.runId, turn.answer));
  await appendTurn(db, turn);
  return turn;
}
