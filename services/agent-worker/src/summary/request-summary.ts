import { randomUUID } from 'node:crypto';
import type { LongerThread, ThreadLength, ThreadOwner } from '@quire/shared/database';
import type { JobQueue } from '@quire/shared/jobs';

const MESSAGES_PER_SUMMARY = 2 * 5;

/** Whether the thread has five exchanges that its summary does not cover. */
export function isSummaryDue({ messages, summarizedMessages }: ThreadLength): boolean {
  return messages - summarizedMessages >= MESSAGES_PER_SUMMARY;
}

/**
 * Enqueues a summary of the thread if one is due. Turns that find the same summary due add the same job id, so that it
 * is made once; a later turn enqueues a lost one again.
 */
export async function requestSummary(
  queue: Pick<JobQueue<'summary'>, 'add'>,
  { threadId, tenant }: ThreadOwner,
  thread: LongerThread,
): Promise<void> {
  if (!isSummaryDue(thread)) return;
  const payload = { thread_id: threadId, tenant, usage_id: randomUUID() };
  await queue.add(summaryJobId(thread), payload);
}

/** Includes the time of creation, because the id of a deleted thread may be used again. */
export function summaryJobId({
  id,
  messages,
  createdAt,
}: Pick<LongerThread, 'id' | 'messages' | 'createdAt'>): string {
  const nth = Math.floor(messages / MESSAGES_PER_SUMMARY);
  return `${id}-${createdAt.getTime()}-${nth}`;
}
