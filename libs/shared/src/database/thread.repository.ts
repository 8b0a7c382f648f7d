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

/** How long a thread is behind a turn, and how long it was when it was summarized last. */
export interface ThreadLength {
  messages: number;
  summarizedMessages: number;
}

/** A thread behind a turn. */
export interface LongerThread extends ThreadLength {
  /** Tells it from another tenant's with the same `session_id`. */
  id: string;
  /** Tells it from one of the same id that was deleted before. */
  createdAt: Date;
}

/** `now()` is when the transaction began: behind the lock its order may be another than that of the turns. */
const inOrder = sql<Date>`clock_timestamp()`;

/**
 * Appends a question and its answer, and revives a thread that was archived. Run inside a transaction: the thread's row
 * stays locked until the end, so concurrent turns follow each other whole.
 */
export async function appendTurn(db: Database, turn: Turn): Promise<LongerThread> {
  const thread = (await beginUnderItsSessionId(db, turn)) ?? (await lengthenOrBegin(db, turn));
  const { id, message_count, summarized_messages, created_at } = thread;
  const message = { thread_id: id, run_id: turn.runId, created_at: inOrder };
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

/** Undefined if the owner has the thread already, or another tenant has one of this `id`. */
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
        updated_at: inOrder,
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

/** The newest active exchanges of a tenant's thread, oldest first; none if it has no thread of this id. */
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
