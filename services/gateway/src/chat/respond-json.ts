import { chatResponseSchema, runOutcomeSchema, type RunOutcome } from '@quire/shared/contracts';
import { Conflict, DependencyUnavailable, errorWithCode, type QuireError } from '@quire/shared/errors';
import type { RunLogEntry } from '@quire/shared/run-log';
import type { Response } from 'express';
import { sendError } from '../http/send-error.js';

/** Waits for the outcome and answers it as one JSON body. */
export async function respondJson(
  res: Response,
  runId: string,
  entries: AsyncIterable<RunLogEntry>,
): Promise<void> {
  let last: RunLogEntry | undefined;
  for await (const entry of entries) last = entry;
  const outcome = runOutcomeSchema.safeParse({ type: last?.type, data: last && JSON.parse(last.data) });
  if (res.destroyed) return;
  if (!outcome.success) {
    res.setHeader('Location', `/chat/${runId}`);
    sendError(
      res,
      new DependencyUnavailable(
        'SHUTTING_DOWN',
        'This gateway is stopping; the run goes on, ask for it again',
      ),
      runId,
    );
    return;
  }
  sendOutcome(res, runId, outcome.data);
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
