import { isTerminalType } from '@quire/shared/contracts';
import type { Run } from '@quire/shared/database';
import type { RunLog } from '@quire/shared/run-log';
import type { Response } from 'express';
import type { PositionAnnouncer } from './position-announcer.js';
import { respondSse } from './respond-sse.js';
import { runEvents, type FollowDependencies } from './run-events.js';
import { encodeUnnumbered } from './sse-encoding.js';
import { followedRun } from './while-connected.js';

export interface StreamDependencies extends FollowDependencies {
  announcer: PositionAnnouncer;
}

/**
 * Follows a run from a client's position:
 * - the client has all events: 204, which also stops a browser's EventSource from reconnecting;
 * - the log has expired, or was buried by a deletion that was rolled back: the stored outcome as one event;
 * - the position is beyond the log (the log was lost and restarted, or the position is made up): `reset`, then all
 *   events.
 * Does not await the stream itself: that would keep the run, with its question, in memory for as long as it lasts.
 */
export async function resumeStream(
  deps: StreamDependencies,
  res: Response,
  run: Run,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  const end = await finishLog(deps.runLog, run);
  if (end === 'away') {
    const outcome = run.outcome ? encodeUnnumbered(run.outcome.type, run.outcome.data) : '';
    return respondSse(res, [], { signal, preamble: outcome });
  }
  if (run.outcome && after === end.seq) {
    res.status(204).end();
    return undefined;
  }
  if (run.outcome && end.isBuried) {
    const { type, data } = run.outcome;
    return respondSse(res, [{ seq: end.seq, type, data: JSON.stringify(data) }], { signal });
  }
  const isBeyondLog = after > end.seq;
  const reset = { request_id: run.id, attempt: run.attempt, reason: 'log_restarted' };
  return respondSse(
    res,
    runEvents(deps, followedRun(run), isBeyondLog ? 0 : after, signal, deps.announcer),
    isBeyondLog ? { signal, preamble: encodeUnnumbered('reset', reset) } : { signal },
  );
}

interface LogEnd {
  seq: number;
  /** The log ends otherwise than the run: a deletion buried it and was rolled back. */
  isBuried: boolean;
}

/** Announces a stored outcome that the log lacks; returns the log's end. 'away': Redis is away and the run has ended. */
async function finishLog(runLog: RunLog, run: Run): Promise<LogEnd | 'away'> {
  try {
    const last = await runLog.lastEntry(run.id);
    if (!run.outcome) return { seq: last?.seq ?? 0, isBuried: false };
    if (last && isTerminalType(last.type)) {
      return { seq: last.seq, isBuried: last.type !== run.outcome.type };
    }
    await runLog.announce(run.id, run.attempt, run.outcome);
    return { seq: (await runLog.lastEntry(run.id))?.seq ?? 0, isBuried: false };
  } catch (error) {
    if (run.outcome) return 'away';
    throw error;
  }
}
