import type { RunOutcome } from '@quire/shared/contracts';
import { openDatabase, threadSessionId, type Database } from '@quire/shared/database';
import { createLogger } from '@quire/shared/logging';
import type { Ending } from '../clients/client-view.js';
import type { StoredQuestion } from './stored-question.js';

/** Every question that Postgres holds, by its session. */
export async function readStored(databaseUrl: string): Promise<Map<string, StoredQuestion>> {
  return withDatabase(databaseUrl, async (db) => {
    const [runs, messages] = await Promise.all([
      db.selectFrom('runs').select(['id', 'session_id', 'attempt', 'outcome']).execute(),
      db
        .selectFrom('messages')
        .innerJoin('threads', 'threads.id', 'messages.thread_id')
        .select(['run_id', 'role', 'content', threadSessionId.as('session_id')])
        .orderBy('seq')
        .execute(),
    ]);
    const questions = new Map<string, StoredQuestion>();
    const questionOf = (session: string): StoredQuestion => {
      const question = questions.get(session) ?? { runs: [], messages: [] };
      questions.set(session, question);
      return question;
    };
    for (const { id, session_id, attempt, outcome } of runs) {
      questionOf(session_id).runs.push({ id, attempt, ending: outcome ? endingOf(outcome) : undefined });
    }
    for (const { session_id, run_id, role, content } of messages) {
      questionOf(session_id).messages.push({ runId: run_id, role, content });
    }
    return questions;
  });
}

export async function countUnfinished(databaseUrl: string): Promise<number> {
  return withDatabase(databaseUrl, async (db) => {
    const rows = await db.selectFrom('runs').select('id').where('finished_at', 'is', null).execute();
    return rows.length;
  });
}

async function withDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(url, createLogger('chaos', 'silent'), 2);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

function endingOf({ type, data }: RunOutcome): Ending {
  if (type === 'completed') return { type, mode: data.metadata.mode, answer: data.answer };
  return type === 'failed' ? { type, code: data.error_code } : { type };
}
