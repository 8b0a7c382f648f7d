import type { ApiKey } from '@quire/shared/database';
import { LimitExceeded } from '@quire/shared/errors';
import { redisKeys, type RedisPulse } from '@quire/shared/redis';
import type { Response } from 'express';
import { averageServiceMs } from '../admission/expected-wait.js';
import type { KnownCapacities } from '../admission/known-capacities.js';
import { queueUnavailable } from '../http/queue-unavailable.js';
import { contextOf } from '../http/request-context.js';
import { rateLimitHeaderNames, rateLimitHeaders } from './rate-limit-headers.js';
import type { RateLimit } from './rate-limit.js';
import { retryAfterSeconds, type Return } from './retry-after.js';
import type { PlacedRun, RunPlaces } from './run-places.js';
import type { Slots } from './slots.js';

/** How long a question takes while no worker has told how long one takes. */
const USUAL_SERVICE_MS = 2000;
/** The share of a refused request's wait over which those refused at one moment come back. */
const SPREAD_OF_WAIT = 0.1;

export interface LimitDefaults {
  ratePerMinute: number;
  maxConcurrent: number;
}

export interface LimitParts {
  rate: Pick<RateLimit, 'take'>;
  slots: Pick<Slots, 'take'>;
  places: Pick<RunPlaces, 'hold' | 'giveBack'>;
  pulse: Pick<RedisPulse, 'isFelt'>;
  capacities: Pick<KnownCapacities, 'get'>;
  defaults: LimitDefaults;
}

/** What was let in. */
export interface Permit {
  /**
   * For a request that is refused for another reason, or costs nothing: it was not counted, and holds no place. Nobody
   * waits for it: where Redis hangs the count is forgotten with its minute, and the place with its lease.
   */
  giveBack(): void;
}

/** What was let in and holds one of its caller's places. */
export interface PlacePermit extends Permit {
  /** The request is over. */
  leave(): void;
  /** The place is held until the run has ended, even if its caller leaves. Answers how to tell that it has. */
  holdFor(run: PlacedRun): () => void;
}

export const freePermit: PlacePermit = { giveBack() {}, leave() {}, holdFor: () => () => {} };

/** How much a caller may ask. Without authentication there is no key, and no limit. While Redis is away nobody gets in. */
export class Limits {
  constructor(private readonly parts: LimitParts) {}

  /** Counts a request, unless its work fails; then nothing is said of what is left either. */
  async counting<T>(res: Response, work: () => Promise<T>): Promise<T> {
    const { apiKey } = contextOf(res);
    const { giveBack } = apiKey ? await this.reachable(() => this.countFor(apiKey, res)) : freePermit;
    try {
      return await work();
    } catch (error) {
      giveBack();
      for (const name of rateLimitHeaderNames) res.removeHeader(name);
      throw error;
    }
  }

  /** Counts a request that holds one of its caller's places; its work needs Redis, with a key or without. */
  async enter(res: Response): Promise<PlacePermit> {
    const { apiKey } = contextOf(res);
    return this.reachable(async () => {
      if (!apiKey) return freePermit;
      const counted = await this.countFor(apiKey, res);
      const leave = await this.takeSlot(apiKey).catch((error: unknown) => {
        counted.giveBack();
        throw error;
      });
      const { places } = this.parts;
      return {
        giveBack() {
          leave();
          counted.giveBack();
        },
        leave,
        holdFor(run) {
          places.hold(run, { leave, isServed: () => !res.closed });
          return () => places.giveBack(run.id);
        },
      };
    });
  }

  private async countFor({ callerId, ratePerMinute }: ApiKey, res: Response): Promise<Permit> {
    const { rate, defaults } = this.parts;
    const limit = ratePerMinute ?? defaults.ratePerMinute;
    const counted = await rate.take(callerId, limit);
    res.setHeaders(new Headers(rateLimitHeaders(counted)));
    if (counted.exceeded) {
      const { nextMs } = counted;
      throw new LimitExceeded('RATE_LIMITED', `This key may ask ${limit} times a minute`, {
        retryAfterSeconds: retryAfterSeconds({ earliestMs: nextMs, spreadMs: nextMs * SPREAD_OF_WAIT }),
      });
    }
    return { giveBack: () => void counted.giveBack().catch(() => {}) };
  }

  private async takeSlot({ callerId, maxConcurrent }: ApiKey): Promise<() => void> {
    const limit = maxConcurrent ?? this.parts.defaults.maxConcurrent;
    const leave = await this.parts.slots.take(redisKeys.requestSlots(callerId), limit);
    if (leave) return leave;
    throw new LimitExceeded(
      'TOO_MANY_CONCURRENT',
      `This key may have ${limit} questions and searches open at once`,
      { retryAfterSeconds: retryAfterSeconds(await this.returnToSlots(limit)) },
    );
  }

  /** When one of so many questions of a caller ends is not known; on average that is the time of one over their number. */
  private async returnToSlots(limit: number): Promise<Return> {
    const workers = await this.parts.capacities.get().catch(() => []);
    const serviceMs = averageServiceMs(workers) ?? USUAL_SERVICE_MS;
    return { earliestMs: serviceMs / limit, spreadMs: serviceMs };
  }

  private async reachable<P extends Permit>(work: () => Promise<P>): Promise<P> {
    if (!this.parts.pulse.isFelt) throw queueUnavailable();
    try {
      return await work();
    } catch (error) {
      throw error instanceof LimitExceeded ? error : queueUnavailable(error);
    }
  }
}
