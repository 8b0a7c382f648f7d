import type { Run } from '@quire/shared/database';
import type { RunLogEntry } from '@quire/shared/run-log';
import type { Response } from 'express';
import { respondSse } from './respond-sse.js';
import { outcomeEntry, runEvents, type FollowDependencies } from './run-events.js';
import { encodeUnnumbered } from './sse-encoding.js';

/**
 * Follows a run from a client's position:
 * - the client has everything: 204, which also stops a browser's EventSource from reconnecting;
 * - the log has expired: the stored outcome as one event;
 * - the position is beyond the log (it was lost and begun anew): `reset`, then the whole story.
 */
export async function resumeStream(
  deps: FollowDependencies,
  res: Response,
  run: Run,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  const last = await deps.runLog.lastSequence(run.id);
  if (run.outcome && last === 0) {
    await respondSse(res, one(outcomeEntry(run.outcome, after + 1)), signal);
    return;
  }
  if (run.outcome && after === last) {
    res.status(204).end();
    return;
  }
  if (after > last) {
    const reset = { request_id: run.id, attempt: run.attempt, reason: 'log_restarted' };
    await respondSse(res, runEvents(deps, run, 0, signal), signal, encodeUnnumbered('reset', reset));
    return;
  }
  await respondSse(res, runEvents(deps, run, after, signal), signal);
}

async function* one(entry: RunLogEntry): AsyncGenerator<RunLogEntry> {
  yield entry;
}
