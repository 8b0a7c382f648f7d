import { announceCancel } from '@quire/shared/cancellation';
import { deletedOutcome, deleteThread, unfinishedRunsOf, type ThreadOwner } from '@quire/shared/database';
import { cancelRun, type CancelDependencies } from '../chat/cancel-run.js';

/**
 * Deletes a thread completely; false if the caller has no thread with this id. Unfinished runs are cancelled first, so that
 * their workers record what they spent; a run that does not stop in time loses its row, without which its worker can store
 * nothing. The logs are buried before Postgres commits: if Redis fails, the caller can retry, and after the burial neither
 * a worker that has just committed nor a client that resumes can recreate a log.
 */
export async function deleteWholeThread(
  deps: CancelDependencies,
  owner: ThreadOwner,
  signal: AbortSignal,
): Promise<boolean> {
  deps.redisAccess.require();
  const unfinished = await unfinishedRunsOf(deps.db, owner);
  await Promise.all(unfinished.map((runId) => cancelRun(deps, runId, signal)));
  return deps.db.transaction().execute(async (transaction) => {
    const runs = await deleteThread(transaction, owner);
    if (!runs) return false;
    await deps.runLog.bury(runs.map((run) => ({ ...run, end: deletedOutcome(run.id) })));
    for (const { id } of runs.filter(({ endedAt }) => !endedAt)) {
      await announceCancel(deps.redis, id);
      await deps.queue.remove(id).catch(() => {});
    }
    return true;
  });
}
