import type { NewRun } from '@quire/shared/database';
import type { RunLogEntry } from '@quire/shared/run-log';
import { runEvents, type FollowDependencies, type Watched } from './run-events.js';

export interface StreamDependencies extends FollowDependencies {
  positions: Watched;
}

/** A run's events for somebody who watches: with its place in the line while it waits. */
export function streamedEvents(
  deps: StreamDependencies,
  run: Pick<NewRun, 'id' | 'deadlineAt'>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunLogEntry, void, void> {
  return runEvents(deps, run, after, signal, deps.positions);
}
