import type { ChatRequest } from '@quire/shared/contracts';
import {
  ATTEMPT_BEFORE_FIRST,
  findRunByKey,
  freeKey,
  type Database,
  type IdempotencyClaim,
  type NewRun,
  type Run,
} from '@quire/shared/database';
import { Conflict, httpStatusOf } from '@quire/shared/errors';
import type { JobQueue, FairOrder } from '@quire/shared/jobs';
import type { Logger } from '@quire/shared/logging';
import { Fenced, RunEnded, type RunLog } from '@quire/shared/run-log';
import type { Admission } from '../admission/admission.js';
import type { Permit } from '../limits/limits.js';
import type { RunSlots } from '../limits/run-slots.js';
import { queueUnavailable } from '../redis-access.js';
import type { RunInserter } from './run-inserter.js';
import type { Withdrawals } from './withdrawals.js';

/** Concurrent requests with one key can take it from each other only so often. */
const MAX_TRIES = 3;

export interface AcceptDependencies {
  db: Database;
  admission: Pick<Admission, 'admit'>;
  inserter: Pick<RunInserter, 'insert'>;
  fairOrder: Pick<FairOrder, 'assign'>;
  runLog: RunLog;
  queue: Pick<JobQueue<'chat'>, 'add'>;
  withdrawals: Pick<Withdrawals, 'withdraw'>;
  runSlots: Pick<RunSlots, 'hold'>;
  deadlineMs: number;
}

export interface Question {
  /** Of the run it becomes, unless it is a replay. */
  runId: string;
  tenant: string;
  request: ChatRequest;
  idempotency?: IdempotencyClaim | undefined;
  log: Logger;
}

export type Accepted = { run: NewRun; replayed: false } | { run: Run; replayed: true };

/**
 * Accepts a question: replay, permit, admission, insert, enqueue. A replay is free; whatever fails after the permit was
 * taken refunds it.
 */
export async function acceptQuestion(
  deps: AcceptDependencies,
  question: Question,
  permit: Permit,
): Promise<Accepted> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const known = await findReplay(deps.db, question);
    if (known && !hasFailedWith503(known)) return { run: known, replayed: true };
    // A retry of what failed because a dependency was away is a new question.
    if (known) await freeKey(deps.db, known.id);
    const run = await acceptNew(deps, question, permit);
    if (run) return { run, replayed: false };
  }
  throw queueUnavailable();
}

/** The run that the Idempotency-Key names. */
async function findReplay(
  db: Database,
  { tenant, idempotency }: Pick<Question, 'tenant' | 'idempotency'>,
): Promise<Run | undefined> {
  const run = idempotency && (await findRunByKey(db, tenant, idempotency.key));
  if (run && run.idempotency?.bodyHash !== idempotency.bodyHash) {
    throw new Conflict('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with another request body');
  }
  return run;
}

function hasFailedWith503({ outcome }: Run): boolean {
  return outcome?.type === 'failed' && httpStatusOf[outcome.data.error_code] === 503;
}

/** Returns undefined if the Idempotency-Key names another run since. */
async function acceptNew(
  deps: AcceptDependencies,
  question: Question,
  permit: Permit,
): Promise<NewRun | undefined> {
  await permit.take();
  try {
    const pending = await deps.admission.admit(question.tenant);
    const run = newRun(question, deps.deadlineMs);
    const isAccepted = await insertAndEnqueue(deps, run, question.log).finally(() => pending.end());
    if (!isAccepted) {
      permit.refund();
      return undefined;
    }
    // Without the question, which would stay in memory for as long as the slot is held.
    if (permit.slot) deps.runSlots.hold({ id: run.id, deadlineAt: run.deadlineAt }, permit.slot);
    return run;
  } catch (error) {
    permit.refund();
    throw error;
  }
}

function newRun({ runId, tenant, request, idempotency }: Question, deadlineMs: number): NewRun {
  const acceptedAt = new Date();
  const deadlineAt = new Date(acceptedAt.getTime() + deadlineMs);
  return { id: runId, tenant, request, idempotency, acceptedAt, deadlineAt };
}

/**
 * Inserts the run's row, then its job. If either fails, the row is closed before the caller is refused, so that a retry
 * is not paid for twice; a run that was claimed or has ended meanwhile is accepted all the same: the row or the job may
 * exist although the reply was lost. Returns false if the run's Idempotency-Key is taken.
 */
async function insertAndEnqueue(deps: AcceptDependencies, run: NewRun, log: Logger): Promise<boolean> {
  try {
    if (!(await deps.inserter.insert(run))) return false;
    await enqueue(deps, run, log);
  } catch (error) {
    const standing = await deps.withdrawals.withdraw(run, error);
    log.warn({ stage: 'gateway', error, standing }, 'Acceptance failed');
    if (standing !== 'begun') throw error;
  }
  return true;
}

async function enqueue(
  { fairOrder, runLog, queue }: AcceptDependencies,
  { id, tenant, request, deadlineAt }: NewRun,
  log: Logger,
): Promise<void> {
  try {
    const { priority, ahead } = await fairOrder.assign(tenant);
    const position = ahead + 1;
    await runLog.append(id, ATTEMPT_BEFORE_FIRST, [{ type: 'queued', data: { request_id: id, position } }]);
    await queue.add(id, { run_id: id, deadline_at: deadlineAt.getTime() }, priority);
    log.info({ stage: 'gateway', session_id: request.session_id, position }, 'Run accepted');
  } catch (error) {
    // The reconciler has enqueued the run meanwhile, and a worker has claimed it.
    if (error instanceof Fenced || error instanceof RunEnded) return;
    throw queueUnavailable(error);
  }
}
