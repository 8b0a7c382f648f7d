import type { RunOutcome } from '@quire/shared/contracts';
import {
  appendTurn,
  findRun,
  finishRun,
  recordUsage,
  type Database,
  type LongerThread,
  type Run,
  type SpentOnModel,
  type Turn,
} from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import { Fenced, RunEnded, type RunLogWriter } from '@quire/shared/run-log';
import { timeBudgets } from '@quire/shared/time';
import pRetry from 'p-retry';
import { setTimeout as sleep } from 'node:timers/promises';

/** A Postgres that is restarted should not cost a second model call. */
const COMMIT_RETRIES = {
  retries: Infinity,
  maxRetryTime: timeBudgets.postgres.commitRetryMs,
  minTimeout: 100,
  maxTimeout: 1000,
  factor: 3,
  randomize: true,
};
/** A Redis that is away must not keep an answer out of Postgres. */
const TEXT_LIMIT_MS = 1000;

export interface Conclusion {
  outcome: RunOutcome;
  turn?: Turn | undefined;
  spent: readonly SpentOnModel[];
}

export interface Concluded {
  /** The outcome that stands. */
  outcome: RunOutcome;
  /** How long the thread is now, if this has made it longer. */
  thread?: LongerThread | undefined;
}

/**
 * Ends a run: all text is in the log, the outcome, the thread's new turn and the spend are committed together, and only then is the end
 * announced. If the run had ended before, the outcome that stands is announced instead; if it was deleted, this throws
 * `RunEnded`. A process that stops leaves it to the next execution where Postgres is away.
 */
export async function concludeRun(
  db: Database,
  writer: RunLogWriter,
  run: Run,
  conclusion: Conclusion,
  stopping: AbortSignal,
): Promise<Concluded> {
  // From the commit on anybody may announce the end, and behind an end the log takes no text.
  await Promise.race([writer.settle().catch(() => {}), sleep(TEXT_LIMIT_MS, undefined, { ref: false })]);
  const concluded = await pRetry(() => commit(db, run, conclusion), {
    ...COMMIT_RETRIES,
    shouldRetry: ({ error }) => classifyError(error).retryable && !stopping.aborted,
  });
  try {
    await writer.emit(concluded.outcome);
  } catch (error) {
    // Someone else has announced the end already.
    if (!(error instanceof RunEnded)) throw error;
  }
  return concluded;
}

async function commit(db: Database, run: Run, { outcome, turn, spent }: Conclusion): Promise<Concluded> {
  const concluded = await db.transaction().execute(async (transaction) => {
    await recordUsage(transaction, run, spent);
    if (await finishRun(transaction, run.id, outcome, run.attempt)) {
      return { outcome, thread: turn && (await appendTurn(transaction, turn)) };
    }
    const present = await findRun(transaction, run.id);
    // Rolled back: nothing may be booked under a name that was deleted.
    if (!present) throw new RunEnded('The run was deleted with its thread');
    return { outcome: present.outcome };
  });
  if (!concluded.outcome) throw new Fenced('A later attempt owns the run');
  return { ...concluded, outcome: concluded.outcome };
}
