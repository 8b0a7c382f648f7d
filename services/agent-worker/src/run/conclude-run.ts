import type { RunOutcome } from '@quire/shared/contracts';
import {
  appendTurn,
  findRun,
  finishRun,
  recordUsage,
  type Database,
  type Run,
  type SpentOnModel,
  type Turn,
} from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import { Fenced, RunEnded, type RunLogWriter } from '@quire/shared/run-log';
import pRetry from 'p-retry';

/** A short outage of Postgres should not cost a second model call. */
const COMMIT_RETRIES = 3;

export interface Conclusion {
  outcome: RunOutcome;
  turn?: Turn | undefined;
  spent: readonly SpentOnModel[];
}

/**
 * Ends a run: the outcome, the thread's new turn and the spend are committed together, and only then is the end
 * announced.
 * If the run had ended before, the outcome that stands is announced instead.
 */
export async function concludeRun(
  db: Database,
  writer: RunLogWriter,
  run: Run,
  conclusion: Conclusion,
): Promise<RunOutcome> {
  const standing = await pRetry(() => commit(db, run, conclusion), {
    retries: COMMIT_RETRIES,
    minTimeout: 100,
    factor: 3,
    randomize: true,
    shouldRetry: ({ error }) => classifyError(error).retryable,
  });
  try {
    await writer.emit(standing);
  } catch (error) {
    // Someone else has announced the end already.
    if (!(error instanceof RunEnded)) throw error;
  }
  return standing;
}

async function commit(db: Database, run: Run, { outcome, turn, spent }: Conclusion): Promise<RunOutcome> {
  const committed = await db.transaction().execute(async (transaction) => {
    await recordUsage(transaction, run, spent);
    if (!(await finishRun(transaction, run.id, outcome, run.attempt))) return false;
    if (turn) await appendTurn(transaction, turn);
    return true;
  });
  if (committed) return outcome;
  const standing = (await findRun(db, run.id))?.outcome;
  if (!standing) throw new Fenced('A later attempt owns the run');
  return standing;
}
