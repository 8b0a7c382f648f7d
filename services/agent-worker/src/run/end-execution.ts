import { randomUUID } from 'node:crypto';
import type { RunOutcome } from '@quire/shared/contracts';
import { findRun, recordUsage, type Database, type Run, type Turn } from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import type { RunLogWriter } from '@quire/shared/run-log';
import type { UsageMeter } from '../accounting/usage-meter.js';
import type { AgentMetrics } from '../metrics.js';
import { concludeRun, type Concluded } from './conclude-run.js';
import type { ServiceTime } from './service-time.js';

export interface EndDependencies {
  db: Database;
  serviceTime: ServiceTime;
  metrics: AgentMetrics;
}

/** One execution of a run. */
export interface Execution {
  run: Run;
  startedAt: number;
  meter: UsageMeter;
  writer: RunLogWriter;
  log: Logger;
  /** Fires when the process stops or the job's time is over. */
  stopping: AbortSignal;
}

/** Stores and tells the end, and what is known of it besides. */
export async function conclude(
  { db, metrics, serviceTime }: EndDependencies,
  { run, writer, meter, startedAt, stopping }: Execution,
  outcome: RunOutcome,
  turn?: Turn,
): Promise<Concluded> {
  const concluded = await concludeRun(db, writer, run, { outcome, turn, spent: meter.spent }, stopping);
  metrics.spent(run.tenant, meter.spent);
  // A run that was cut short, or was overdue before it began, does not tell how long one takes.
  const isTelling = outcome.type !== 'cancelled' && startedAt < run.deadlineAt.getTime();
  if (isTelling) serviceTime.record(Date.now() - startedAt);
  const { type, data } = concluded.outcome;
  metrics.runEnded(type === 'completed' ? data.metadata.mode : type);
  return concluded;
}

/** Where the end cannot be stored now, another execution will come to it. */
export async function concludeOrBook(
  deps: EndDependencies,
  execution: Execution,
  outcomeOf: () => RunOutcome | Promise<RunOutcome>,
): Promise<RunOutcome> {
  try {
    return (await conclude(deps, execution, await outcomeOf())).outcome;
  } catch (error) {
    await bookUnfinished(deps, execution);
    throw error;
  }
}

/** Another execution will end the run; what this one has spent stays spent. */
export async function bookUnfinished(
  { db, metrics }: EndDependencies,
  { run, meter, log }: Execution,
): Promise<void> {
  metrics.spent(run.tenant, meter.spent);
  try {
    const isDeleted = !(await findRun(db, run.id));
    await recordUsage(db, isDeleted ? { ...run, id: randomUUID() } : run, meter.spent);
  } catch (error) {
    log.warn({ stage: 'agent', error, spent: meter.spent }, 'Could not book what the execution has spent');
  }
}

export function failedOutcome(run: Run, error: unknown): RunOutcome {
  const { code, message, retryAfterSeconds } = classifyError(error);
  return {
    type: 'failed',
    data: {
      request_id: run.id,
      error_code: code,
      message,
      ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
    },
  };
}
