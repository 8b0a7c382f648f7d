import { sql } from 'kysely';

/** Names a thread: tenants do not know of each other's, so that a `session_id` alone names none. */
export interface ThreadOwner {
  /** The `session_id` of its questions. */
  threadId: string;
  tenant: string;
}

/** A thread's `session_id`, word for word as in the indexes `threads_by_session` and `threads_by_age`. */
export const threadSessionId = sql<string>`coalesce(session_id, id)`;

export const isThreadOf = ({ threadId, tenant }: ThreadOwner) =>
  sql<boolean>`tenant = ${tenant} AND ${threadSessionId} = ${threadId}`;
