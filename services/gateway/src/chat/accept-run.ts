import type { ChatRequest, RunOutcome } from '@quire/shared/contracts';
import { finishRun, type Database, type IdempotencyClaim, type NewRun } from '@quire/shared/database';
import type { JobQueue, Turns } from '@quire/shared/jobs';
import type { Logger } from '@quire/shared/logging';
import type { RedisPulse } from '@quire/shared/redis';
import { Fenced, RunEnded, type RunLog } from '@quire/shared/run-log';
import { queueUnavailable } from '../http/queue-unavailable.js';
import type { RunInserter } from './run-inserter.js';
import type { Withdrawals } from './withdrawals.js';

export interface AcceptDependencies {
  db: Database;
  pulse: Pick<RedisPulse, 'isFelt'>;
  inserter: RunInserter;
  queue: Pick<JobQueue<'chat'>, 'add'>;
  turns: Pick<Turns, 'take'>;
  runLog: RunLog;
  withdrawals: Pick<Withdrawals, 'add'>;
  deadlineMs: number;
}

export interface Acceptance {
  runId: string;
  tenant: string;
  request: ChatRequest;
  idempotency?: IdempotencyClaim | undefined;
  log: Logger;
}

/** Events before the first execution are written as attempt 0: the first worker outranks them. */
export const GATEWAY_ATTEMPT = 0;

/**
 * Accepts a run: first its row in Postgres, then the queue. When the queue cannot take it, the row is closed as
 * failed before the caller hears of it, so that a caller who tries again does not pay twice. Answers undefined when
 * the idempotency key names another run.
 */
export async function acceptRun(
  deps: AcceptDependencies,
  acceptance: Acceptance,
): Promise<NewRun | undefined> {
  if (!deps.pulse.isFelt) throw queueUnavailable();
  const { runId, tenant, request, idempotency, log } = acceptance;
  const acceptedAt = new Date();
  const deadlineAt = new Date(acceptedAt.getTime() + deps.deadlineMs);
  const run: NewRun = { id: runId, tenant, request, idempotency, acceptedAt, deadlineAt };
  const inserted = await deps.inserter.insert(run).catch((error: unknown) => {
    deps.withdrawals.add(runId, error);
    throw error;
  });
  if (!inserted) return undefined;
  try {
    const { priority, ahead } = await deps.turns.take(tenant);
    const position = ahead + 1;
    await deps.runLog.append(runId, GATEWAY_ATTEMPT, [
      { type: 'queued', data: { request_id: runId, position } },
    ]);
    await deps.queue.add(runId, { run_id: runId, deadline_at: deadlineAt.getTime() }, priority);
    log.info({ stage: 'gateway', session_id: request.session_id, position }, 'Run accepted');
    return run;
  } catch (error) {
    // Somebody else has enqueued the run meanwhile, and it is under way or has ended.
    if (error instanceof Fenced || error instanceof RunEnded) return run;
    log.warn({ stage: 'gateway', error }, 'The queue did not take the run');
    const refused = queueUnavailable(error);
    const outcome: RunOutcome = {
      type: 'failed',
      data: { request_id: runId, error_code: refused.code, message: refused.message },
    };
    await finishRun(deps.db, runId, outcome).catch((reason: unknown) => {
      log.warn({ stage: 'gateway', error: reason }, 'Could not close a run that was not enqueued yet');
      deps.withdrawals.add(runId, refused);
    });
    throw refused;
  }
}
