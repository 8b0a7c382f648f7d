import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatRequest } from '@quire/shared/contracts';
import {
  ATTEMPT_BEFORE_FIRST,
  findRun,
  finishRun,
  type Database,
  type IdempotencyClaim,
  type NewRun,
} from '@quire/shared/database';
import type { FairOrder, JobQueue } from '@quire/shared/jobs';
import type { Logger } from '@quire/shared/logging';
import type { RedisPulse } from '@quire/shared/redis';
import { Fenced, RunEnded, type RunLog } from '@quire/shared/run-log';
import { queueUnavailable } from '../http/queue-unavailable.js';
import type { RunInserter } from './run-inserter.js';
import { refusedOutcome, type Withdrawals } from './withdrawals.js';

export interface AcceptDependencies {
  db: Database;
  pulse: Pick<RedisPulse, 'isFelt'>;
  inserter: Pick<RunInserter, 'insert'>;
  queue: Pick<JobQueue<'chat'>, 'add'>;
  fairOrder: Pick<FairOrder, 'assign'>;
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

/** A Postgres that is away must not delay the refusal. */
const WITHDRAW_LIMIT_MS = 500;

/**
 * Accepts a run: first its row in Postgres, then the queue. When either does not take it, the row is closed as failed
 * before the caller hears of it, so that a caller who tries again does not pay twice. Answers undefined when the
 * idempotency key names another run.
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
  try {
    if (!(await deps.inserter.insert(run))) return undefined;
  } catch (error) {
    return withdraw(deps, run, log, error);
  }
  try {
    const { priority, ahead } = await deps.fairOrder.assign(tenant);
    const position = ahead + 1;
    await deps.runLog.append(runId, ATTEMPT_BEFORE_FIRST, [
      { type: 'queued', data: { request_id: runId, position } },
    ]);
    await deps.queue.add(runId, { run_id: runId, deadline_at: deadlineAt.getTime() }, priority);
    log.info({ stage: 'gateway', session_id: request.session_id, position }, 'Run accepted');
    return run;
  } catch (error) {
    // Somebody else has enqueued the run meanwhile, and it is under way or has ended.
    if (error instanceof Fenced || error instanceof RunEnded) return run;
    return withdraw(deps, run, log, queueUnavailable(error));
  }
}

/**
 * Refuses a run whose acceptance got no answer, unless it was begun all the same: a row or a job may be there though
 * nobody said so, and a gateway that was frozen finds its run adopted by a worker. Then the run stands.
 */
async function withdraw(
  { db, withdrawals }: AcceptDependencies,
  run: NewRun,
  log: Logger,
  refusal: unknown,
): Promise<NewRun> {
  const outcome = refusedOutcome(run.id, refusal);
  const looking = (async () => {
    if (await finishRun(db, run.id, outcome, ATTEMPT_BEFORE_FIRST)) return 'closed';
    return (await findRun(db, run.id)) ? 'begun' : 'unknown';
  })().catch(() => 'unknown' as const);
  const standing = await Promise.race([looking, sleep(WITHDRAW_LIMIT_MS, 'unknown', { ref: false })]);
  log.warn({ stage: 'gateway', error: refusal, standing }, 'The run was not accepted in the proper way');
  if (standing === 'begun') return run;
  if (standing === 'unknown') withdrawals.add(run, outcome);
  throw refusal;
}
