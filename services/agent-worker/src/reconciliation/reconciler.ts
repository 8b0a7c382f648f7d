import { randomUUID } from 'node:crypto';
import type { Logger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import { PeriodicTask } from '@quire/shared/time';
import type { AgentMetrics } from '../metrics.js';
import { cancelAbandoned, type CancelAbandonedDependencies } from './cancel-abandoned.js';
import { reconcileRuns, type ReconcileDependencies } from './reconcile-runs.js';

/** `redis` has the role `request`, so that a pass fails at once while Redis is away. */
export interface ReconcilerParts extends ReconcileDependencies, CancelAbandonedDependencies {
  everyMs: number;
  metrics: AgentMetrics;
  logger: Logger;
}

/** Repairs runs that would otherwise never end and cancels abandoned ones. Several workers may run it at once. */
export function runReconciler(parts: ReconcilerParts): PeriodicTask {
  const { redis, runLog, everyMs, metrics } = parts;
  const logger = parts.logger.child({ stage: 'queue' });
  const processId = randomUUID();
  const pass = async (signal: AbortSignal) => {
    // One pass per interval is enough for all processes together; a second one is harmless.
    const expiryMs = Math.ceil(everyMs * 0.9);
    if ((await redis.set(redisKeys.reconciling, processId, 'PX', expiryMs, 'NX')) !== 'OK') return;
    const observer = {
      onReconciled(runId: string, action: string) {
        metrics.reconciled(action);
        logger.warn({ request_id: runId, action }, 'Run reconciled');
      },
      onFailed: (runId: string, error: unknown) =>
        logger.warn({ request_id: runId, error }, 'Reconciliation of a run failed'),
    };
    await reconcileRuns(parts, observer, signal);
    if (signal.aborted) return;
    for (const runId of await cancelAbandoned(parts)) {
      metrics.reconciled('abandoned');
      logger.info({ request_id: runId }, 'Abandoned run cancelled');
    }
    await runLog.forgetOldest();
  };
  return new PeriodicTask(everyMs, pass, (error) => logger.debug({ error }, 'Reconciliation pass failed'));
}
