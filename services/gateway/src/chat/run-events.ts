import { isTerminalType, type RunOutcome } from '@quire/shared/contracts';
import { deletedOutcome, overdueAt, type Database, type NewRun } from '@quire/shared/database';
import { followRun, type RunLog, type RunLogEntry, type RunLogHub } from '@quire/shared/run-log';
import { timeBudgets } from '@quire/shared/time';
import type { QueuePositions } from './queue-positions.js';
import { findSettledRun } from './settled-run.js';

export interface FollowDependencies {
  db: Database;
  runLog: RunLog;
  hub: RunLogHub;
}

/** For those who watch a run: they are told its place in the line while it waits. */
export type Watched = Pick<QueuePositions, 'add' | 'see' | 'remove'>;

const LONGEST_SILENCE_MS = timeBudgets.run.rereadMs;
const SHORTEST_SILENCE_MS = 500;

/**
 * A run's events after a sequence until it has ended. The log tells the story; where it falls silent Postgres is
 * asked, so that no client waits for an end that was stored but never told.
 */
export async function* runEvents(
  deps: FollowDependencies,
  run: Pick<NewRun, 'id' | 'deadlineAt'>,
  after: number,
  signal: AbortSignal,
  positions?: Watched,
): AsyncGenerator<RunLogEntry, void, void> {
  const left = overdueAt(run) - Date.now();
  const idleRereadMs = Math.min(LONGEST_SILENCE_MS, Math.max(SHORTEST_SILENCE_MS, left));
  const told = positions?.add(run.id, after);
  let seen = after;
  try {
    for await (const entry of followRun(deps.runLog, deps.hub, run.id, { after, signal, idleRereadMs })) {
      if (entry !== 'idle') {
        seen = entry.seq;
        if (told) positions?.see(told, entry);
        yield entry;
        if (isTerminalType(entry.type)) return;
        continue;
      }
      // While Postgres is away as well, the follower keeps its place and asks again.
      const settled = await findSettledRun(deps.db, run.id).catch(() => 'away' as const);
      if (settled === 'away') continue;
      if (!settled) {
        yield outcomeEntry(deletedOutcome(run.id), seen + 1);
        return;
      }
      if (!settled.outcome) continue;
      const end = await announced(deps.runLog, run.id, settled.attempt, settled.outcome);
      // Redis is away, or the log was begun anew and ended before it came to where this client is.
      if (!end || end.seq <= seen) {
        yield outcomeEntry(settled.outcome, seen + 1);
        return;
      }
    }
  } finally {
    if (told) positions?.remove(told);
  }
}

/** The log's last entry, once the log ends with the outcome. */
async function announced(
  runLog: RunLog,
  runId: string,
  attempt: number,
  outcome: RunOutcome,
): Promise<RunLogEntry | undefined> {
  try {
    await runLog.announce(runId, attempt, outcome);
    return await runLog.lastEntry(runId);
  } catch {
    return undefined;
  }
}

function outcomeEntry(outcome: RunOutcome, seq: number): RunLogEntry {
  return { seq, type: outcome.type, data: JSON.stringify(outcome.data) };
}
