import { isTerminalType, type RunOutcome } from '@quire/shared/contracts';
import { deletedOutcome, overdueAt, type Database, type NewRun } from '@quire/shared/database';
import { followRun, type RunLog, type RunLogEntry, type RunLogHub } from '@quire/shared/run-log';
import { timeBudgets } from '@quire/shared/time';
import { closeIfOverdue } from './close-if-overdue.js';
import type { PositionAnnouncer } from './position-announcer.js';

export interface FollowDependencies {
  db: Database;
  runLog: RunLog;
  hub: RunLogHub;
}

const LONGEST_SILENCE_MS = timeBudgets.run.rereadMs;
const SHORTEST_SILENCE_MS = 500;

/**
 * A run's events after a sequence, until it has ended. While the log is silent Postgres is asked, so that no client
 * waits for an end that was stored but never announced.
 * @param announcer for clients that see events: announces the run's position while it waits
 */
export async function* runEvents(
  deps: FollowDependencies,
  run: Pick<NewRun, 'id' | 'deadlineAt'>,
  after: number,
  signal: AbortSignal,
  announcer?: Pick<PositionAnnouncer, 'add' | 'observe' | 'remove'>,
): AsyncGenerator<RunLogEntry, void, void> {
  const left = overdueAt(run) - Date.now();
  const idleRereadMs = Math.min(LONGEST_SILENCE_MS, Math.max(SHORTEST_SILENCE_MS, left));
  const client = announcer?.add(run.id, after);
  let seen = after;
  try {
    for await (const entry of followRun(deps.runLog, deps.hub, run.id, { after, signal, idleRereadMs })) {
      if (entry !== 'idle') {
        seen = entry.seq;
        if (client) announcer?.observe(client, entry);
        yield entry;
        if (isTerminalType(entry.type)) return;
        continue;
      }
      // While Postgres is away as well, the follower stays where it is and asks again.
      const stored = await closeIfOverdue(deps.db, run.id).catch(() => 'away' as const);
      if (stored === 'away') continue;
      if (!stored) {
        yield outcomeEntry(deletedOutcome(run.id), seen + 1);
        return;
      }
      if (!stored.outcome) continue;
      const end = await announced(deps.runLog, run.id, stored.attempt, stored.outcome);
      // Redis is away, or the log was restarted and ended before it reached this client's position.
      if (!end || end.seq <= seen) {
        yield outcomeEntry(stored.outcome, seen + 1);
        return;
      }
    }
  } finally {
    if (client) announcer?.remove(client);
  }
}

/** Announces the outcome, unless the log ends with it; returns the log's last entry, or undefined if Redis is away. */
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
