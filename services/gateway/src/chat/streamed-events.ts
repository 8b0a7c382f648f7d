import type { NewRun } from '@quire/shared/database';
import type { RunLogEntry } from '@quire/shared/run-log';
import type { QueuePositions } from './queue-positions.js';
import { runEvents, type FollowDependencies } from './run-events.js';

export interface StreamDependencies extends FollowDependencies {
  positions: Pick<QueuePositions, 'follow'>;
}

/** A run's events for somebody who watches: with its place in the line while it waits. */
export function streamedEvents(
  deps: StreamDependencies,
  run: Pick<NewRun, 'id' | 'deadlineAt'>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunLogEntry, void, void> {
  return deps.positions.follow(run.id, after, runEvents(deps, run, after, signal));
}
