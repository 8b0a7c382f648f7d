import { randomUUID } from 'node:crypto';
import type { Logger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import type { Redis } from 'ioredis';
import type { AgentMetrics } from '../metrics.js';
import { PeriodicTask } from '@quire/shared/time';
import { cancelAbandoned } from './cancel-abandoned.js';
import { reconcileRuns, type ReconcileDependencies, type ReconcileObserver } from './reconcile-runs.js';

export interface ReconcilerParts extends ReconcileDependencies {
  /** Of the role `request`: a pass that cannot reach Redis is over at once. */
  redis: Redis;
  everyMs: number;
  /** How long a run that is to be cancelled with its client is kept for one that comes back. */
  disconnectGraceMs: number;
  metrics: AgentMetrics;
  logger: Logger;
}

/** Looks regularly after runs that would otherwise never end, or that nobody wants. Any number may run at once. */
export class Reconciler {
  private readonly processId = randomUUID();
  private readonly passes: PeriodicTask;

  constructor(private readonly parts: ReconcilerParts) {
    this.passes = new PeriodicTask(
      parts.everyMs,
      async (signal) => {
        if (await this.isOurTurn()) await this.pass(signal);
      },
      (error) => parts.logger.debug({ stage: 'queue', error }, 'Runs could not be reconciled'),
    );
  }

  start(): void {
    this.passes.start();
  }

  stop(): Promise<void> {
    return this.passes.stop();
  }

  /** One pass in a while is enough for all processes together; where Redis has forgotten that, two do no harm. */
  private async isOurTurn(): Promise<boolean> {
    const { redis, everyMs } = this.parts;
    const won = await redis.set(redisKeys.reconciling, this.processId, 'PX', Math.ceil(everyMs * 0.9), 'NX');
    return won === 'OK';
  }

  private async pass(signal: AbortSignal): Promise<void> {
    const { db, redis, runLog, disconnectGraceMs: graceMs, metrics, logger } = this.parts;
    const observer: ReconcileObserver = {
      onReconciled(runId, what) {
        metrics.reconciled(what);
        logger.warn({ stage: 'queue', request_id: runId, action: what }, 'Run reconciled');
      },
      onFailed: (runId, error) =>
        logger.warn({ stage: 'queue', request_id: runId, error }, 'Run could not be reconciled'),
    };
    await reconcileRuns(this.parts, observer, signal);
    if (signal.aborted) return;
    for (const runId of await cancelAbandoned({ db, redis, graceMs })) {
      metrics.reconciled('abandoned');
      logger.info({ stage: 'queue', request_id: runId }, 'Run cancelled: its client has left');
    }
    await runLog.forgetOldest();
  }
}
