import { randomUUID } from 'node:crypto';
import type { RunOutcome } from '@quire/shared/contracts';
import {
  appendTurn,
  findRun,
  finishRun,
  recordUsage,
  type Database,
  type LongerThread,
  type Turn,
} from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import { Fenced, RunEnded } from '@quire/shared/run-log';
import { timeBudgets, within } from '@quire/shared/time';
import pRetry from 'p-retry';
import type { Execution } from './execution.js';

/** Retrying the commit is cheaper than retrying the run, which calls the model again. */
const COMMIT_RETRIES = {
  retries: Infinity,
  maxRetryTime: timeBudgets.postgres.commitRetryMs,
  minTimeout: 100,
  maxTimeout: 1000,
  factor: 3,
  randomize: true,
};
/** Time limit for flushing text to the run log: a Redis that is away must not keep an answer out of Postgres. */
const TEXT_LIMIT_MS = 1000;

/** What an execution wants to commit. */
export interface Ending {
  outcome: RunOutcome;
  turn?: Turn | undefined;
}

export interface Committed {
  /** The outcome in Postgres, which another process may have stored. */
  outcome: RunOutcome;
  /** The thread's new length, if this commit added a turn. */
  thread?: LongerThread | undefined;
}

/**
 * Stores the outcome, the thread's turn and the spend in one transaction, after all text is in the run log. Returns the
 * stored outcome if the run had ended before. Throws `Fenced` if a later attempt has claimed the run and `RunEnded` if
 * the run was deleted. Retries while Postgres is away, unless `stopping` fires.
 */
export async function commitRun(
  db: Database,
  execution: Execution,
  ending: Ending,
  stopping: AbortSignal,
): Promise<Committed> {
  // Any process may announce a committed outcome, and the log takes no text after its terminal event.
  await within(TEXT_LIMIT_MS, execution.writer.flush()).catch(() => {});
  return pRetry(() => commitOnce(db, execution, ending), {
    ...COMMIT_RETRIES,
    shouldRetry: ({ error }) => classifyError(error).retryable && !stopping.aborted,
  });
}

async function commitOnce(
  db: Database,
  { run, meter }: Execution,
  { outcome, turn }: Ending,
): Promise<Committed> {
  const committed = await db.transaction().execute(async (transaction) => {
    await recordUsage(transaction, run, meter.spent);
    if (await finishRun(transaction, run.id, outcome, run.attempt)) {
      return { outcome, thread: turn && (await appendTurn(transaction, turn)) };
    }
    const present = await findRun(transaction, run.id);
    // Thrown inside the transaction: no spend is stored under the id of a deleted run.
    if (!present) throw new RunEnded('The run was deleted with its thread');
    return { outcome: present.outcome };
  });
  if (!committed.outcome) throw new Fenced('A later attempt owns the run');
  return { ...committed, outcome: committed.outcome };
}

/** Stores the spend of an execution that commits nothing; of a deleted run under a random id. */
export async function bookSpend(db: Database, { run, meter, log }: Execution): Promise<void> {
  try {
    const isDeleted = !(await findRun(db, run.id));
    await recordUsage(db, isDeleted ? { ...run, id: randomUUID() } : run, meter.spent);
  } catch (error) {
    log.warn({ stage: 'agent', error, spent: meter.spent }, 'Spend of the execution not booked');
  }
}
