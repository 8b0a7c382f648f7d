import { sql, type InferResult } from 'kysely';
import type { ThreadStatus } from '../contracts/thread.contract.js';
import type { Database } from './database.js';
import { threadSessionId } from './thread-owner.js';

/** A cursor in the list of a tenant's threads. The time is a string, since a `Date` drops the microseconds. */
export interface ThreadPosition {
  updatedAt: string;
  id: string;
}

export interface ThreadDescription {
  /** The `session_id`. */
  id: string;
  firstQuestion: string;
  topicSummary: string | null;
  status: ThreadStatus;
  messageCount: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface ListedThread extends ThreadDescription {
  position: ThreadPosition;
}

export interface ThreadPage {
  limit: number;
  after?: ThreadPosition | undefined;
}

/** Threads joined with their first message. */
export const selectThreads = (db: Database) =>
  db
    .selectFrom('threads')
    .innerJoin('messages', (join) =>
      join.onRef('messages.thread_id', '=', 'threads.id').on('messages.seq', '=', 1),
    )
    .select(['message_count', 'threads.created_at', 'updated_at', 'messages.content'])
    .select(['topic_summary', 'archived_at', threadSessionId.as('sessionId')]);

export const describeThread = (
  row: InferResult<ReturnType<typeof selectThreads>>[number],
): ThreadDescription => ({
  id: row.sessionId,
  firstQuestion: row.content,
  topicSummary: row.topic_summary,
  status: row.archived_at === null ? 'active' : 'archived',
  messageCount: row.message_count,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const exactly = sql<string>`to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** A tenant's threads, last used first. */
export async function listThreads(
  db: Database,
  tenant: string,
  { limit, after }: ThreadPage,
): Promise<ListedThread[]> {
  const rows = await selectThreads(db)
    .select(exactly.as('exact'))
    .where('tenant', '=', tenant)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(updated_at, ${threadSessionId}) < (${after?.updatedAt}::timestamptz, ${after?.id}::uuid)`,
      ),
    )
    .orderBy('updated_at', 'desc')
    .orderBy(threadSessionId, 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) =>
    Object.assign(describeThread(row), { position: { updatedAt: row.exact, id: row.sessionId } }),
  );
}
