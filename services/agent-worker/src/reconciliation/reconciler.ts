import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import type { Redis } from 'ioredis';
import type { AgentMetrics } from '../metrics.js';
import { cancelAbandoned } from './cancel-abandoned.js';
import { reconcileRuns, type ReconcileDependencies } from './reconcile-runs.js';

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
  private readonly stopping = new AbortController();
  private readonly processId = randomUUID();
  private running: Promise<void> | undefined;

  constructor(private readonly parts: ReconcilerParts) {}

  start(): void {
    this.running ??= this.loop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        if (await this.isOurTurn()) await this.pass();
      } catch (error) {
        // A store is away: its return is when this is needed most, so the next pass comes as usual.
        this.parts.logger.debug({ stage: 'queue', error }, 'Runs could not be reconciled');
      }
      await sleep(this.parts.everyMs, undefined, { signal }).catch(() => {});
    }
  }

  /** One pass in a while is enough for all processes together; where Redis has forgotten that, two do no harm. */
  private async isOurTurn(): Promise<boolean> {
    const { redis, everyMs } = this.parts;
    const won = await redis.set(redisKeys.reconciling, this.processId, 'PX', Math.ceil(everyMs * 0.9), 'NX');
    return won === 'OK';
  }

  private async pass(): Promise<void> {
    const { db, redis, runLog, disconnectGraceMs, metrics, logger } = this.parts;
    await reconcileRuns(this.parts, (runId, what) => {
      metrics.reconciled(what);
      logger.warn({ stage: 'queue', request_id: runId, action: what }, 'Run reconciled');
    });
    for (const runId of await cancelAbandoned(db, redis, disconnectGraceMs)) {
      metrics.reconciled('abandoned');
      logger.info({ stage: 'queue', request_id: runId }, 'Run cancelled: its client has left');
    }
    await runLog.forgetOldest();
  }
}
