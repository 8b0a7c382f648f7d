import { DependencyUnavailable } from '@quire/shared/errors';
import type { FairOrder } from '@quire/shared/jobs';
import { retryAfterSeconds } from '../limits/retry-after.js';
import type { RedisAccess } from '../redis-access.js';
import { PendingQuestions, type PendingQuestion } from './pending-questions.js';
import { expectedWaitMs, type KnownCapacities } from './worker-capacity.js';

/**
 * `Retry-After`: questions refused at the same moment return within this share of the expected wait. The queue moves on
 * by a second each second, so half of it has been processed by then.
 */
const SPREAD_OF_WAIT = 0.5;

export interface AdmissionParts {
  fairOrder: Pick<FairOrder, 'preview'>;
  redisAccess: RedisAccess;
  capacities: Pick<KnownCapacities, 'get'>;
  maxExpectedWaitMs: number;
}

/**
 * Refuses a question whose expected wait for a worker is too long, before anything is written. The wait follows from
 * the position its tenant's next job would get: another tenant's burst does not count. Without an estimate the question
 * is admitted, and waits until its deadline at worst.
 */
export class Admission {
  private readonly pending = new PendingQuestions();

  constructor(private readonly parts: AdmissionParts) {}

  /** Admits a question, or throws OVERLOADED. */
  async admit(tenant: string): Promise<PendingQuestion> {
    const { fairOrder, redisAccess, capacities, maxExpectedWaitMs } = this.parts;
    const check = this.pending.startCheck(tenant);
    try {
      const [{ ahead }, workers] = await redisAccess.run(() =>
        Promise.all([fairOrder.preview(tenant), capacities.get()]),
      );
      const wait = expectedWaitMs(ahead + check.pending, workers) ?? 0;
      if (wait <= maxExpectedWaitMs) return check.admit();
      throw new DependencyUnavailable('OVERLOADED', 'Too many questions are waiting, try again later', {
        retryAfterSeconds: retryAfterSeconds(wait - maxExpectedWaitMs, wait * SPREAD_OF_WAIT),
      });
    } finally {
      check.end();
    }
  }
}
