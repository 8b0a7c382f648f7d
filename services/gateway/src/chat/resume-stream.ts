import { isTerminalType } from '@quire/shared/contracts';
import type { Run } from '@quire/shared/database';
import type { RunLog } from '@quire/shared/run-log';
import type { Response } from 'express';
import { followedRun } from './followed-run.js';
import { respondSse } from './respond-sse.js';
import { encodeUnnumbered } from './sse-encoding.js';
import { streamedEvents, type StreamDependencies } from './streamed-events.js';

/**
 * Follows a run from a client's position:
 * - the client has everything: 204, which also stops a browser's EventSource from reconnecting;
 * - the log has expired, or was buried by a deletion that did not come to pass: the stored outcome as one event;
 * - the position is beyond the log (it was lost and begun anew, or the run never came so far): `reset`, then the whole
 *   story.
 * Does not wait for the stream itself: the run, with its question, would be kept for as long as that lasts.
 */
export async function resumeStream(
  deps: StreamDependencies,
  res: Response,
  run: Run,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  const end = await logEnd(deps.runLog, run);
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
  if (after > end.seq) {
    const reset = { request_id: run.id, attempt: run.attempt, reason: 'log_restarted' };
    const preamble = encodeUnnumbered('reset', reset);
    return respondSse(res, streamedEvents(deps, followedRun(run), 0, signal), { signal, preamble });
  }
  return respondSse(res, streamedEvents(deps, followedRun(run), after, signal), { signal });
}

interface LogEnd {
  seq: number;
  /** The log tells another end than the stored one: that of a deletion which did not come to pass. */
  isBuried: boolean;
}

/** How far the log goes, which is made to end with the outcome if the run has one. */
async function logEnd(runLog: RunLog, run: Run): Promise<LogEnd | 'away'> {
  try {
    const last = await runLog.lastEntry(run.id);
    if (!run.outcome) return { seq: last?.seq ?? 0, isBuried: false };
    if (last && isTerminalType(last.type)) {
      return { seq: last.seq, isBuried: last.type !== run.outcome.type };
    }
    // Its end was stored but never told, or the log has expired since.
    await runLog.announce(run.id, run.attempt, run.outcome);
    return { seq: (await runLog.lastEntry(run.id))?.seq ?? 0, isBuried: false };
  } catch (error) {
    // Redis is away, but a run that has ended needs it no more.
    if (run.outcome) return 'away';
    throw error;
  }
}
