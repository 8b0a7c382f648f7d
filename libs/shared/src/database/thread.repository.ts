import { sql } from 'kysely';
import type { ConfidenceLevel } from '../contracts/confidence.contract.js';
import type { Source } from '../contracts/source.contract.js';
import { NotFound } from '../errors/index.js';
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
 * Appends a question and its answer; a thread of another tenant is not found. Run inside a transaction: the thread's row stays locked until the end, so
 * concurrent turns of one thread follow each other whole.
 */
export async function appendTurn(db: Database, turn: Turn): Promise<void> {
  const thread = await db
    .insertInto('threads')
    .values({ id: turn.threadId, tenant: turn.tenant, message_count: 2 })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          message_count: eb('threads.message_count', '+', 2),
          updated_at: sql<Date>`now()`,
        }))
        .where('threads.tenant', '=', turn.tenant),
    )
    .returning('message_count')
    .executeTakeFirst();
  if (!thread) throw new NotFound('NOT_FOUND', 'There is no thread with this session_id');
  const { message_count } = thread;
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

/** The newest exchanges of a tenant's thread, oldest first. */
export async function recentExchanges(
  db: Database,
  { threadId, tenant }: Pick<Turn, 'threadId' | 'tenant'>,
  limit: number,
): Promise<Exchange[]> {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('threads', 'threads.id', 'messages.thread_id')
    .select('content')
    .where('thread_id', '=', threadId)
    .where('tenant', '=', tenant)
    .orderBy('seq', 'desc')
    .limit(limit * 2)
    .execute();
  const exchanges: Exchange[] = [];
  for (let i = rows.length - 1; i > 0; i -= 2) {
    exchanges.push({ question: rows[i]?.content ?? '', answer: rows[i - 1]?.content ?? '' });
  }
  return exchanges;
}
