import { setTimeout as sleep } from 'node:timers/promises';
import { isGivenUp, type JobPayload, type JobQueue } from '../jobs/index.js';

/** A job is its worker's for a moment after the reply, and for longer where nobody has waited for one. */
const TRIES_AFTER_MS = [500, 5000, 30_000];
const REMOVED_QUESTION = '(removed)';

/**
 * Removes a question from its queue once its asker has done with it; what has cost workers their life stays there for
 * inspection, but not in the asker's words. Nobody waits for this: what it leaves behind goes by its age.
 */
export async function forgetQuestion(
  queue: JobQueue<'retrieval'>,
  jobId: string,
  payload: JobPayload<'retrieval'>,
): Promise<void> {
  for (const ms of TRIES_AFTER_MS) {
    await sleep(ms, undefined, { ref: false });
    // Redis may be away for one try and back for the next.
    if (await forget(queue, jobId, payload).catch(() => false)) return;
  }
}

/** False while a worker is at it. */
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
