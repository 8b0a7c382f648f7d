import { sql } from 'kysely';

/** Identifies a thread: two tenants may use the same `session_id`. */
export interface ThreadOwner {
  /** The `session_id` of its questions. */
  threadId: string;
  tenant: string;
}

/** A thread's `session_id`: the same expression as in the indexes `threads_by_session` and `threads_by_age`. */
export const threadSessionId = sql<string>`coalesce(session_id, id)`;

export const isThreadOf = ({ threadId, tenant }: ThreadOwner) =>
  sql<boolean>`tenant = ${tenant} AND ${threadSessionId} = ${threadId}`;
