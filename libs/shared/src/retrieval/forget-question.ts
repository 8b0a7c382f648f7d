import { setTimeout as sleep } from 'node:timers/promises';
import { isGivenUp, type JobPayload, type JobQueue } from '../jobs/index.js';

/** Pauses before each try: the worker still holds the job just after its reply, and longer if the search ended early. */
const TRIES_AFTER_MS = [500, 5000, 30_000];
const REMOVED_QUESTION = '(removed)';

/**
 * Removes the job of a search that is over, since it holds the question. A job that crashed its workers is kept for
 * inspection with its question blanked. If every try fails, BullMQ removes the job by age.
 */
export async function forgetQuestion(
  queue: JobQueue<'retrieval'>,
  jobId: string,
  payload: JobPayload<'retrieval'>,
): Promise<void> {
  for (const ms of TRIES_AFTER_MS) {
    await sleep(ms, undefined, { ref: false });
    if (await forget(queue, jobId, payload).catch(() => false)) return;
  }
}

/** False while a worker holds the job. */
async function forget(
  queue: JobQueue<'retrieval'>,
  jobId: string,
  payload: JobPayload<'retrieval'>,
): Promise<boolean> {
  if (!(await isKept(queue, jobId))) return await queue.remove(jobId);
  await queue.amend(jobId, { ...payload, query: REMOVED_QUESTION });
  return true;
}

async function isKept(queue: JobQueue<'retrieval'>, jobId: string): Promise<boolean> {
  const [state] = await queue.statesOf([jobId]);
  if (state !== 'failed') return false;
  const stored = await queue.find(jobId);
  return stored.state === 'failed' && isGivenUp(stored.reason);
}
