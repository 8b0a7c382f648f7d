import type { ConfidenceLevel } from '../contracts/confidence.contract.js';
import type { Source } from '../contracts/source.contract.js';
import type { Database } from './database.js';
import type { RetrievalCallRecord } from './thread.table.js';

export interface Turn {
  threadId: string;
  tenant: string;
  runId: string;
  question: string;
  answer: string;
  confidence: number;
  confidenceLevel: ConfidenceLevel;
  sources: Source[];
  retrievalCalls: RetrievalCallRecord[];
}

/**
 * Appends a question and its answer. Run inside a transaction: the thread's row stays locked until the end, so
 * concurrent turns of one thread follow each other whole.
 */
export async function appendTurn(db: Database, turn: Turn): Promise<void> {
  const { message_count } = await db
    .insertInto('threads')
    .values({ id: turn.threadId, tenant: turn.tenant, message_count: 2 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        message_count: eb('threads.message_count', '+', 2),
        updated_at: new Date(),
      })),
    )
    .returning('message_count')
    .executeTakeFirstOrThrow();
  const message = { thread_id: turn.threadId, run_id: turn.runId };
  await db
    .insertInto('messages')
    .values([
      { ...message, seq: message_count - 1, role: 'user', content: turn.question },
      {
        ...message,
        seq: message_count,
        role: 'assistant',
        content: turn.answer,
        confidence: turn.confidence,
        confidence_level: turn.confidenceLevel,
        sources: JSON.stringify(turn.sources),
        retrieval_calls: JSON.stringify(turn.retrievalCalls),
      },
    ])
    .execute();
}

export interface Exchange {
  question: string;
  answer: string;
}

/** The newest exchanges of a thread, oldest first. */
export async function recentExchanges(db: Database, threadId: string, limit: number): Promise<Exchange[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['seq', 'content'])
    .where('thread_id', '=', threadId)
    .orderBy('seq', 'desc')
    .limit(limit * 2)
    .execute();
  const exchanges: Exchange[] = [];
  for (let i = rows.length - 1; i > 0; i -= 2) {
    exchanges.push({ question: rows[i]?.content ?? '', answer: rows[i - 1]?.content ?? '' });
  }
  return exchanges;
}
