import { sql } from 'kysely';
import type { Database } from './database.js';
import { isThreadOf, type ThreadOwner } from './thread-owner.js';
import type { ThreadLength } from './thread.repository.js';

export interface ThreadTopic extends ThreadLength {
  summary: string | null;
  createdAt: Date;
}

export async function findTopic(db: Database, owner: ThreadOwner): Promise<ThreadTopic | undefined> {
  const row = await db
    .selectFrom('threads')
    .select(['topic_summary', 'summarized_messages', 'message_count', 'created_at'])
    .where(isThreadOf(owner))
    .executeTakeFirst();
  return (
    row && {
      summary: row.topic_summary,
      summarizedMessages: row.summarized_messages,
      messages: row.message_count,
      createdAt: row.created_at,
    }
  );
}

/**
 * Stores the summary of a thread's first `messages` messages; returns false if the thread was deleted or has a newer
 * summary. `createdAt` tells it from a later thread with the same id.
 */
export async function saveTopic(
  db: Database,
  owner: ThreadOwner,
  { summary, messages, createdAt }: { summary: string; messages: number; createdAt: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('threads')
    .set({ topic_summary: summary, summarized_messages: messages })
    .where(isThreadOf(owner))
    .where('summarized_messages', '<', messages)
    .where(sql<Date>`date_trunc('milliseconds', created_at)`, '=', createdAt)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
