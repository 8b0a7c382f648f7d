import { randomUUID } from 'node:crypto';
import type { LongerThread, ThreadLength, ThreadOwner } from '@quire/shared/database';
import type { JobQueue } from '@quire/shared/jobs';

const MESSAGES_PER_SUMMARY = 2 * 5;

/** Five exchanges have come since the last summary, or since the beginning. */
export function isSummaryDue({ messages, summarizedMessages }: ThreadLength): boolean {
  return messages - summarizedMessages >= MESSAGES_PER_SUMMARY;
}

/**
 * Has a thread summarized in the background. Turns that find the same summary due ask for the same job, so that it is
 * made once; one that was lost is asked for again by a later turn.
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

/** Of one tenant's thread in its present life: an id may be used again behind a deletion. */
export function summaryJobId({
  id,
  messages,
  createdAt,
}: Pick<LongerThread, 'id' | 'messages' | 'createdAt'>): string {
  const nth = Math.floor(messages / MESSAGES_PER_SUMMARY);
  return `${id}-${createdAt.getTime()}-${nth}`;
}
