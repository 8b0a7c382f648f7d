import { isTerminalType, type RunOutcome } from '@quire/shared/contracts';
import { findRun, finishRun, type Database, type NewRun } from '@quire/shared/database';
import { DeadlineExceeded } from '@quire/shared/errors';
import { followRun, type RunLog, type RunLogEntry, type RunLogHub } from '@quire/shared/run-log';

export interface FollowDependencies {
  db: Database;
  runLog: RunLog;
  hub: RunLogHub;
}

/** Time for a worker that commits at the last moment to be heard before the gateway closes the run. */
const DEADLINE_GRACE_MS = 3000;

/**
 * A run's events after a sequence until it has ended. The log tells the story; where it falls silent Postgres is
 * asked, and a run that nobody finished by its deadline is closed, so that no client waits for ever.
 */
export async function* runEvents(
  deps: FollowDependencies,
  run: Pick<NewRun, 'id' | 'deadlineAt'>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunLogEntry, void, void> {
  const overdueAt = run.deadlineAt.getTime() + DEADLINE_GRACE_MS;
  const idleRereadMs = Math.min(10_000, Math.max(500, overdueAt - Date.now()));
  let seen = after;
  for await (const entry of followRun(deps.runLog, deps.hub, run.id, { after, signal, idleRereadMs })) {
    if (entry !== 'idle') {
      seen = entry.seq;
      yield entry;
      if (isTerminalType(entry.type)) return;
      continue;
    }
    const outcome = await storedOutcome(deps.db, run.id, Date.now() > overdueAt);
    if (outcome) {
      yield outcomeEntry(outcome, seen + 1);
      return;
    }
  }
}

export function outcomeEntry(outcome: RunOutcome, seq: number): RunLogEntry {
  return { seq, type: outcome.type, data: JSON.stringify(outcome.data) };
}

async function storedOutcome(db: Database, runId: string, overdue: boolean): Promise<RunOutcome | undefined> {
  try {
    if (overdue) {
      const { code, message } = new DeadlineExceeded();
      await finishRun(db, runId, {
        type: 'failed',
        data: { request_id: runId, error_code: code, message },
      });
    }
    return (await findRun(db, runId))?.outcome ?? undefined;
  } catch {
    // Postgres is away as well: the follower keeps its place and asks again.
    return undefined;
  }
}
