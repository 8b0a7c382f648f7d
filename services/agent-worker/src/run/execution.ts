import { randomBytes } from 'node:crypto';
import type { Run, ThreadOwner } from '@quire/shared/database';
import type { Logger } from '@quire/shared/logging';
import { RunLogWriter, type RunLog } from '@quire/shared/run-log';
import type { ModelPrices } from '../accounting/model-prices.js';
import { UsageMeter } from '../accounting/usage-meter.js';

/** One attempt of a run in this worker, from claim to commit. */
export interface Execution {
  run: Run;
  thread: ThreadOwner;
  /** Epoch milliseconds. */
  startedAt: number;
  writer: RunLogWriter;
  meter: UsageMeter;
  /** Delimits quoted text in the prompts of this execution; a random word that no author of such text can know. */
  fenceKey: string;
  log: Logger;
}

export interface ExecutionDependencies {
  runLog: RunLog;
  prices: ModelPrices;
  logger: Logger;
}

const FENCE_KEY_BYTES = 6;

export const newFenceKey = (): string => randomBytes(FENCE_KEY_BYTES).toString('hex');

export function openExecution({ runLog, prices, logger }: ExecutionDependencies, run: Run): Execution {
  return {
    run,
    thread: { threadId: run.request.session_id, tenant: run.tenant },
    startedAt: Date.now(),
    writer: new RunLogWriter(runLog, run.id, run.attempt),
    meter: new UsageMeter(prices),
    fenceKey: newFenceKey(),
    log: logger.child({ request_id: run.id, attempt: run.attempt }),
  };
}
