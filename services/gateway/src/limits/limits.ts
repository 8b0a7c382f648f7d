import type { ApiKey } from '@quire/shared/database';
import { LimitExceeded } from '@quire/shared/errors';
import { redisKeys, type RedisPulse } from '@quire/shared/redis';
import type { Response } from 'express';
import { queueUnavailable } from '../http/queue-unavailable.js';
import { contextOf } from '../http/request-context.js';
import { rateLimitHeaders, seconds } from './rate-limit-headers.js';
import type { RateLimit } from './rate-limit.js';
import type { RunPlaces } from './run-places.js';
import type { Slots } from './slots.js';

/** Nobody knows when one of a caller's own answers ends; most do so within seconds. */
const SLOT_RETRY_SECONDS = 2;

export interface LimitDefaults {
  ratePerMinute: number;
  maxConcurrent: number;
}

export interface LimitParts {
  rate: RateLimit;
  slots: Pick<Slots, 'take'>;
  places: Pick<RunPlaces, 'hold' | 'giveBack'>;
  pulse: Pick<RedisPulse, 'isFelt'>;
  defaults: LimitDefaults;
}

/** What was let in. */
export interface Permit {
  /** For a request that is refused for another reason, or costs nothing: it was not counted, and holds no place. */
  giveBack(): Promise<void>;
}

/** A question that was let in. */
export interface QuestionPermit extends Permit {
  /** The place is held until the run has ended, even if its caller leaves. Answers how to tell that it has. */
  holdFor(runId: string): () => void;
}

export const freePermit: QuestionPermit = { giveBack: () => Promise.resolve(), holdFor: () => () => {} };

/** How much a key may ask. Without authentication there is no key, and no limit. While Redis is away nobody gets in. */
export class Limits {
  constructor(private readonly parts: LimitParts) {}

  /** Counts a request. */
  async count(res: Response): Promise<Permit> {
    const { apiKey } = contextOf(res);
    return apiKey ? this.reachable(() => this.countFor(apiKey, res)) : freePermit;
  }

  /** Counts a question, which holds one of its key's places. */
  async enter(res: Response): Promise<QuestionPermit> {
    const { apiKey } = contextOf(res);
    if (!apiKey) return freePermit;
    return this.reachable(async () => {
      const counted = await this.countFor(apiKey, res);
      const leave = await this.takeSlot(apiKey).catch(async (error: unknown) => {
        await counted.giveBack();
        throw error;
      });
      const { places } = this.parts;
      return {
        async giveBack() {
          leave();
          await counted.giveBack();
        },
        holdFor(runId) {
          places.hold(runId, { leave, isServed: () => !res.closed });
          return () => places.giveBack(runId);
        },
      };
    });
  }

  private async countFor({ callerId, ratePerMinute }: ApiKey, res: Response): Promise<Permit> {
    const { rate, defaults } = this.parts;
    const limit = ratePerMinute ?? defaults.ratePerMinute;
    const quota = await rate.take(callerId, limit);
    res.setHeaders(new Headers(rateLimitHeaders(quota)));
    if (quota.exceeded) {
      throw new LimitExceeded('RATE_LIMITED', `This key may ask ${limit} times a minute`, {
        retryAfterSeconds: seconds(quota.resetMs),
      });
    }
    // What cannot be given back is forgotten with the minute.
    return { giveBack: () => rate.giveBack(callerId, limit).catch(() => {}) };
  }

  private async takeSlot({ callerId, maxConcurrent }: ApiKey): Promise<() => void> {
    const limit = maxConcurrent ?? this.parts.defaults.maxConcurrent;
    const leave = await this.parts.slots.take(redisKeys.requestSlots(callerId), limit);
    if (leave) return leave;
    throw new LimitExceeded('TOO_MANY_CONCURRENT', `This key may have ${limit} questions open at once`, {
      retryAfterSeconds: SLOT_RETRY_SECONDS,
    });
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
