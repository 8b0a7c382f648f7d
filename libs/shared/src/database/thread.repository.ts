import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ConfidenceLevel } from '../contracts/confidence.contract.js';
import type { Source } from '../contracts/source.contract.js';
import { ACTIVE_MESSAGES } from '../contracts/thread.contract.js';
import type { Database } from './database.js';
import { isThreadOf, threadSessionId, type ThreadOwner } from './thread-owner.js';
import type { RetrievalCallRecord } from './thread.table.js';

export interface Turn extends ThreadOwner {
  runId: string;
  question: string;
  answer: string;
  confidence: number;
  confidenceLevel: ConfidenceLevel;
  sources: Source[];
  retrievalCalls: RetrievalCallRecord[];
}

/** A thread's length after a turn, and at its last summary. */
export interface ThreadLength {
  messages: number;
  summarizedMessages: number;
}

/** A thread after a turn. */
export interface LongerThread extends ThreadLength {
  /** Differs from that of another tenant's thread with the same `session_id`. */
  id: string;
  /** Differs from that of a deleted thread with the same `session_id`. */
  createdAt: Date;
}

/** Unlike `now()`, the start of the transaction, it follows the order in which turns get the lock. */
const clockTime = sql<Date>`clock_timestamp()`;

/**
 * Appends a question and its answer, and makes an archived thread active again. Run inside a transaction: the thread's
 * row stays locked until its end, so that concurrent turns do not interleave.
 */
export async function appendTurn(db: Database, turn: Turn): Promise<LongerThread> {
  const thread = (await beginUnderItsSessionId(db, turn)) ?? (await lengthenOrBegin(db, turn));
  const { id, message_count, summarized_messages, created_at } = thread;
  const message = { thread_id: id, run_id: turn.runId, created_at: clockTime };
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
  return { id, messages: message_count, summarizedMessages: summarized_messages, createdAt: created_at };
}

const lengths = ['id', 'message_count', 'summarized_messages', 'created_at'] as const;

/** Undefined if the owner already has the thread, or another tenant has one with this `id`. */
function beginUnderItsSessionId(db: Database, { threadId, tenant }: ThreadOwner) {
  return db
    .insertInto('threads')
    .values({ id: threadId, tenant, message_count: 2 })
    .onConflict((conflict) => conflict.doNothing())
    .returning(lengths)
    .executeTakeFirst();
}

function lengthenOrBegin(db: Database, { threadId, tenant }: ThreadOwner) {
  return db
    .insertInto('threads')
    .values({ id: randomUUID(), tenant, session_id: threadId, message_count: 2 })
    .onConflict((conflict) =>
      conflict.expression(sql`tenant, ${threadSessionId}`).doUpdateSet((eb) => ({
        message_count: eb('threads.message_count', '+', 2),
        updated_at: clockTime,
        archived_at: null,
      })),
    )
    .returning(lengths)
    .executeTakeFirstOrThrow();
}

export interface Exchange {
  question: string;
  answer: string;
}

/** The newest active exchanges of a tenant's thread, oldest first; empty if it has no such thread. */
export async function recentExchanges(db: Database, owner: ThreadOwner, limit: number): Promise<Exchange[]> {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('threads', 'threads.id', 'messages.thread_id')
    .select('content')
    .where(isThreadOf(owner))
    .where('seq', '>', sql<number>`message_count - ${ACTIVE_MESSAGES}::integer`)
    .orderBy('seq', 'desc')
    .limit(limit * 2)
    .execute();
  const exchanges: Exchange[] = [];
  for (let i = rows.length - 1; i > 0; i -= 2) {
    exchanges.push({ question: rows[i]?.content ?? '', answer: rows[i - 1]?.content ?? '' });
  }
  return exchanges;
}
