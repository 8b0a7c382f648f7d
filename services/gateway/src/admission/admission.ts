import { DependencyUnavailable } from '@quire/shared/errors';
import type { FairOrder } from '@quire/shared/jobs';
import type { RedisPulse } from '@quire/shared/redis';
import { queueUnavailable } from '../http/queue-unavailable.js';
import { retryAfterSeconds } from '../limits/retry-after.js';
import { expectedWaitMs } from './expected-wait.js';
import type { KnownCapacities } from './known-capacities.js';
import { OnTheWay } from './on-the-way.js';

/**
 * The share of the wait over which callers that are refused at one moment come back. The line moves on by a second each
 * second, so that half of it has gone by then, and with it the places for half as many callers as stand in it.
 */
const SPREAD_OF_WAIT = 0.5;

export interface AdmissionParts {
  fairOrder: Pick<FairOrder, 'preview'>;
  pulse: Pick<RedisPulse, 'isFelt'>;
  capacities: Pick<KnownCapacities, 'get'>;
  maxExpectedWaitMs: number;
}

/**
 * Refuses a question that is expected to wait too long for a worker, before anything is written. What counts is the
 * caller's own place in the line: another tenant's burst is not held against it. Where nobody can tell, the question is
 * let in, and waits until its deadline at worst.
 */
export class Admission {
  private readonly onTheWay = new OnTheWay();

  constructor(private readonly parts: AdmissionParts) {}

  /** Lets a question in. Answers how to tell that it is in the line, or will never be. */
  async enter(tenant: string): Promise<() => void> {
    const { fairOrder, pulse, capacities, maxExpectedWaitMs } = this.parts;
    if (!pulse.isFelt) throw queueUnavailable();
    const unseen = this.onTheWay.watch(tenant);
    try {
      const [{ ahead }, workers] = await Promise.all([fairOrder.preview(tenant), capacities.get()]).catch(
        (error: unknown) => {
          throw queueUnavailable(error);
        },
      );
      const wait = expectedWaitMs(ahead + unseen.count, workers) ?? 0;
      if (wait <= maxExpectedWaitMs) return unseen.add();
      throw new DependencyUnavailable('OVERLOADED', 'Too many questions are waiting, try again later', {
        retryAfterSeconds: retryAfterSeconds({
          earliestMs: wait - maxExpectedWaitMs,
          spreadMs: wait * SPREAD_OF_WAIT,
        }),
      });
    } finally {
      unseen.release();
    }
  }
}
