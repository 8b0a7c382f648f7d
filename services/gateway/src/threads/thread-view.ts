import {
  ACTIVE_MESSAGES,
  THREAD_TITLE_MAX_CHARACTERS,
  type Thread,
  type ThreadDetails,
  type ThreadMessage,
  type ThreadSummary,
} from '@quire/shared/contracts';
import type { ListedThread, OpenedThread, ThreadRecord } from '@quire/shared/database';
import { snippet } from '@quire/shared/retrieval';

/** A thread in the list. */
export function summaryOf(thread: Omit<ListedThread, 'position'>): ThreadSummary {
  return {
    session_id: thread.id,
    title: snippet(thread.firstQuestion, THREAD_TITLE_MAX_CHARACTERS),
    topic_summary: thread.topicSummary,
    status: thread.status,
    message_count: thread.messageCount,
    created_at: thread.createdAt.toISOString(),
    updated_at: thread.updatedAt.toISOString(),
  };
}

export function detailsOf(thread: ThreadRecord): ThreadDetails {
  return { ...summaryOf(thread), metadata: thread.metadata };
}

export function threadOf(thread: OpenedThread, includeArchived: boolean): Thread {
  const firstActive = thread.messageCount - ACTIVE_MESSAGES + 1;
  const oldest = thread.messages[0]?.seq ?? 1;
  return {
    ...detailsOf(thread),
    messages: thread.messages.map((message) => messageOf(message, firstActive)),
    ...(includeArchived && oldest > 1 && { next_before: oldest }),
  };
}

function messageOf(message: OpenedThread['messages'][number], firstActive: number): ThreadMessage {
  const common = {
    seq: message.seq,
    content: message.content,
    request_id: message.run_id,
    archived: message.seq < firstActive,
    created_at: message.created_at.toISOString(),
  };
  if (message.role === 'user') return { role: 'user', ...common };
  return {
    role: 'assistant',
    ...common,
    confidence: message.confidence ?? 0,
    confidence_level: message.confidence_level ?? 'insufficient',
    sources: message.sources ?? [],
    retrieval_calls: message.retrieval_calls ?? [],
  };
}
