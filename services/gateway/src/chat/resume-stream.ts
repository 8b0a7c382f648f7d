import { isTerminalType } from '@quire/shared/contracts';
import type { Run } from '@quire/shared/database';
import type { RunLog } from '@quire/shared/run-log';
import type { Response } from 'express';
import { respondSse } from './respond-sse.js';
import { encodeUnnumbered } from './sse-encoding.js';
import { streamedEvents, type StreamDependencies } from './streamed-events.js';

/**
 * Follows a run from a client's position:
 * - the client has everything: 204, which also stops a browser's EventSource from reconnecting;
 * - the log has expired: the stored outcome as one event;
 * - the position is beyond the log (it was lost and begun anew, or the run never came so far): `reset`, then the whole
 *   story.
 */
export async function resumeStream(
  deps: StreamDependencies,
  res: Response,
  run: Run,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  const last = await lastSequence(deps.runLog, run, after);
  if (last === 'unusable') {
    const outcome = run.outcome ? encodeUnnumbered(run.outcome.type, run.outcome.data) : '';
    await respondSse(res, [], signal, outcome);
    return;
  }
  if (run.outcome && after === last) {
    res.status(204).end();
    return;
  }
  if (after > last) {
    const reset = { request_id: run.id, attempt: run.attempt, reason: 'log_restarted' };
    await respondSse(res, streamedEvents(deps, run, 0, signal), signal, encodeUnnumbered('reset', reset));
    return;
  }
  await respondSse(res, streamedEvents(deps, run, after, signal), signal);
}

/** The last sequence of the log, which is made to end with the outcome if the run has one. */
async function lastSequence(runLog: RunLog, run: Run, after: number): Promise<number | 'unusable'> {
  try {
    const last = await runLog.lastEntry(run.id);
    if (!run.outcome) return last?.seq ?? 0;
    // Another end than the stored one is that of a deletion which did not come to pass.
    if (last && isTerminalType(last.type)) return last.type === run.outcome.type ? last.seq : 'unusable';
    // Its end was stored but never told, or the log has expired since: then it goes on where the client is.
    await runLog.announce(run.id, run.attempt, run.outcome, last?.seq ?? after);
    return (await runLog.lastEntry(run.id))?.seq ?? 0;
  } catch (error) {
    // Redis is away, but a run that has ended needs it no more.
    if (run.outcome) return 'unusable';
    throw error;
  }
}
