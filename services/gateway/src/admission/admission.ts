import { DependencyUnavailable } from '@quire/shared/errors';
import type { Turns } from '@quire/shared/jobs';
import type { AgentCapacity } from '@quire/shared/process';
import type { RedisPulse } from '@quire/shared/redis';
import { queueUnavailable } from '../http/queue-unavailable.js';
import { seconds } from '../limits/rate-limit-headers.js';
import { expectedWaitMs } from './expected-wait.js';
import { OnTheWay } from './on-the-way.js';

const REMEMBERED_MS = 1000;

export interface AdmissionParts {
  turns: Pick<Turns, 'look'>;
  pulse: Pick<RedisPulse, 'isFelt'>;
  capacities: () => Promise<AgentCapacity[]>;
  maxExpectedWaitMs: number;
}

/**
 * Refuses a question that is expected to wait too long for a worker, before anything is written. What counts is the
 * caller's own place in the line: another tenant's burst is not held against it. Where nobody can tell, the question is
 * let in, and waits until its deadline at worst.
 */
export class Admission {
  private remembered: { workers: Promise<AgentCapacity[]>; until: number } | undefined;
  private readonly onTheWay = new OnTheWay();

  constructor(private readonly parts: AdmissionParts) {}

  /** Lets a question in. Answers how to tell that it is in the line, or will never be. */
  async enter(tenant: string): Promise<() => void> {
    const { turns, pulse, maxExpectedWaitMs } = this.parts;
    if (!pulse.isFelt) throw queueUnavailable();
    const unseen = this.onTheWay.watch(tenant);
    try {
      const [{ ahead }, workers] = await Promise.all([turns.look(tenant), this.workers()]).catch(
        (error: unknown) => {
          throw queueUnavailable(error);
        },
      );
      const wait = expectedWaitMs(ahead + unseen.count, workers) ?? 0;
      if (wait <= maxExpectedWaitMs) return unseen.add();
      throw new DependencyUnavailable('OVERLOADED', 'Too many questions are waiting, try again later', {
        // The line moves on by a second each second: then the wait is what it may be.
        retryAfterSeconds: seconds(wait - maxExpectedWaitMs),
      });
    } finally {
      unseen.release();
    }
  }

  private workers(): Promise<AgentCapacity[]> {
    if (!this.remembered || Date.now() > this.remembered.until) {
      const workers = this.parts.capacities();
      this.remembered = { workers, until: Date.now() + REMEMBERED_MS };
      workers.catch(() => (this.remembered = undefined));
    }
    return this.remembered.workers;
  }
}
