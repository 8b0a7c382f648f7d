import { sql } from 'kysely';
import type { ConfidenceLevel } from '../contracts/confidence.contract.js';
import type { Source } from '../contracts/source.contract.js';
import { ACTIVE_MESSAGES } from '../contracts/thread.contract.js';
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

/** How long a thread is behind a turn, and how long it was when it was summarized last. */
export interface ThreadLength {
  messages: number;
  summarizedMessages: number;
}

/** A thread behind a turn. */
export interface LongerThread extends ThreadLength {
  /** Tells it from one of the same id that was deleted before. */
  createdAt: Date;
}

/** `now()` is when the transaction began: behind the lock its order may be another than that of the turns. */
const inOrder = sql<Date>`clock_timestamp()`;

/**
 * Appends a question and its answer, and revives a thread that was archived; one of another tenant is not found. Run
 * inside a transaction: the thread's row stays locked until the end, so concurrent turns follow each other whole.
 */
export async function appendTurn(db: Database, turn: Turn): Promise<LongerThread> {
  const thread = await db
    .insertInto('threads')
    .values({ id: turn.threadId, tenant: turn.tenant, message_count: 2 })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          message_count: eb('threads.message_count', '+', 2),
          updated_at: inOrder,
          archived_at: null,
        }))
        .where('threads.tenant', '=', turn.tenant),
    )
    .returning(['message_count', 'summarized_messages', 'created_at'])
    .executeTakeFirst();
  if (!thread) throw noThread();
  const { message_count, summarized_messages, created_at } = thread;
  const message = { thread_id: turn.threadId, run_id: turn.runId, created_at: inOrder };
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
  return { messages: message_count, summarizedMessages: summarized_messages, createdAt: created_at };
}

export interface Exchange {
  question: string;
  answer: string;
}

/** The newest active exchanges of a tenant's thread, oldest first; a thread of another tenant is not found. */
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
    .where('seq', '>', sql<number>`message_count - ${ACTIVE_MESSAGES}::integer`)
    .orderBy('seq', 'desc')
    .limit(limit * 2)
    .execute();
  if (rows.length === 0) await refuseForeignThread(db, { threadId, tenant });
  const exchanges: Exchange[] = [];
  for (let i = rows.length - 1; i > 0; i -= 2) {
    exchanges.push({ question: rows[i]?.content ?? '', answer: rows[i - 1]?.content ?? '' });
  }
  return exchanges;
}

/** A thread that nobody has is anybody's to begin. */
export async function refuseForeignThread(
  db: Database,
  { threadId, tenant }: Pick<Turn, 'threadId' | 'tenant'>,
): Promise<void> {
  const foreign = await db
    .selectFrom('threads')
    .select('id')
    .where('id', '=', threadId)
    .where('tenant', '!=', tenant)
    .executeTakeFirst();
  if (foreign) throw noThread();
}

const noThread = () => new NotFound('NOT_FOUND', 'There is no thread with this session_id');
