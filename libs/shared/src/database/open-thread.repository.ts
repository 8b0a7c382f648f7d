import type { Selectable } from 'kysely';
import type { Metadata } from '../contracts/metadata.contract.js';
import { ACTIVE_MESSAGES, MESSAGES_PER_PAGE } from '../contracts/thread.contract.js';
import type { Database } from './database.js';
import { describeThread, selectThreads, type ThreadDescription } from './thread-list.repository.js';
import { isThreadOf, type ThreadOwner } from './thread-owner.js';
import type { MessageTable } from './thread.table.js';

export interface ThreadRecord extends ThreadDescription {
  metadata: Metadata;
}

export interface OpenedThread extends ThreadRecord {
  /** Oldest first. */
  messages: Selectable<MessageTable>[];
}

export interface MessageRange {
  includeArchived: boolean;
  /** Only messages with a lower number. */
  before?: number | undefined;
}

/** A thread without its messages. */
export async function findThread(db: Database, owner: ThreadOwner): Promise<ThreadRecord | undefined> {
  const row = await selectThreads(db).select('metadata').where(isThreadOf(owner)).executeTakeFirst();
  return row && { ...describeThread(row), metadata: row.metadata };
}

/** A thread with its newest messages, read from one snapshot: a concurrent deletion cannot separate them. */
export async function openThread(
  db: Database,
  owner: ThreadOwner,
  { includeArchived, before = Number.POSITIVE_INFINITY }: MessageRange,
): Promise<OpenedThread | undefined> {
  const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return reading.execute(async (snapshot) => {
    const thread = await findThread(snapshot, owner);
    if (!thread) return undefined;
    const newest = Math.min(before - 1, thread.messageCount);
    const behind = includeArchived ? newest - MESSAGES_PER_PAGE : thread.messageCount - ACTIVE_MESSAGES;
    const messages = await snapshot
      .selectFrom('messages')
      .innerJoin('threads', 'threads.id', 'messages.thread_id')
      .selectAll('messages')
      .where(isThreadOf(owner))
      .where('seq', '>', behind)
      .where('seq', '<=', newest)
      .orderBy('seq')
      .execute();
    return { ...thread, messages };
  });
}
