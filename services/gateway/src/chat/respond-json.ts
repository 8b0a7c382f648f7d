import {
  chatResponseSchema,
  runOutcomeSchema,
  type AcceptedRun,
  type RunOutcome,
} from '@quire/shared/contracts';
import type { NewRun } from '@quire/shared/database';
import { Conflict, errorWithCode, type QuireError } from '@quire/shared/errors';
import type { RunLogEntry } from '@quire/shared/run-log';
import type { Response } from 'express';
import { sendError } from '../http/send-error.js';

/** Waits for the run's outcome, unless it is known, and sends it as one JSON body. */
export async function respondJson(
  res: Response,
  run: NewRun & { outcome?: RunOutcome | null },
  entries: AsyncIterable<RunLogEntry>,
): Promise<void> {
  if (run.outcome) return sendOutcome(res, run.id, run.outcome);
  let last: RunLogEntry | undefined;
  for await (const entry of entries) last = entry;
  const outcome = runOutcomeSchema.safeParse({ type: last?.type, data: last && JSON.parse(last.data) });
  if (res.destroyed) return;
  // This gateway is stopping. An error would make the caller ask, and pay, a second time.
  if (!outcome.success) respondAccepted(res, run);
  else sendOutcome(res, run.id, outcome.data);
}

/** The run goes on without this connection; the caller asks for it at `Location`. */
export function respondAccepted(res: Response, run: NewRun): void {
  res.setHeader('Location', `/chat/${run.id}`);
  const accepted: AcceptedRun = { request_id: run.id, session_id: run.request.session_id };
  res.status(202).json(accepted);
}

function sendOutcome(res: Response, runId: string, outcome: RunOutcome): void {
  if (outcome.type === 'completed') {
    res.status(200).json(chatResponseSchema.parse(outcome.data));
    return;
  }
  sendError(res, errorOfOutcome(outcome), runId);
}

function errorOfOutcome(outcome: Exclude<RunOutcome, { type: 'completed' }>): QuireError {
  if (outcome.type === 'cancelled') return new Conflict('CANCELLED', 'The run was cancelled');
  const { error_code, message, retry_after } = outcome.data;
  return errorWithCode(error_code, message, {
    ...(retry_after !== undefined && { retryAfterSeconds: retry_after }),
  });
}
