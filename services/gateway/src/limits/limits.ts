import type { ApiKey } from '@quire/shared/database';
import { LimitExceeded } from '@quire/shared/errors';
import { redisKeys } from '@quire/shared/redis';
import { averageServiceMs, type KnownCapacities } from '../admission/worker-capacity.js';
import type { RedisAccess } from '../redis-access.js';
import type { Quota, RateLimit } from './rate-limit.js';
import { retryAfterSeconds } from './retry-after.js';
import type { Slot, Slots } from './slots.js';

/** Assumed for a run's execution while no worker has reported a time. */
const USUAL_SERVICE_MS = 2000;
/** `Retry-After` of a rate limit: requests refused at the same moment return within this share of the wait. */
const SPREAD_OF_WAIT = 0.1;

type LimitedKey = Pick<ApiKey, 'callerId' | 'ratePerMinute' | 'maxConcurrent'>;

export interface LimitParts {
  rate: Pick<RateLimit, 'count' | 'refund'>;
  slots: Pick<Slots, 'take'>;
  redisAccess: RedisAccess;
  capacities: Pick<KnownCapacities, 'get'>;
  defaults: { ratePerMinute: number; maxConcurrent: number };
}

/** The limits of API keys. While Redis does not respond they grant nothing. */
export class Limits {
  constructor(private readonly parts: LimitParts) {}

  /** The permit of one request, which still has to be taken. Without authentication there is no key, and no limit. */
  permitFor(apiKey: LimitedKey | undefined): Permit {
    return new Permit(this.parts, apiKey);
  }
}

/** What a caller's limits grant to one request: a counted request and, for a question or a search, a slot. */
export class Permit {
  /** What is left of the caller's requests, from the count on; it is not updated by a refund. */
  quota: Quota | undefined;
  /** Released when the request is over; a run's is held until the run has ended. */
  slot: Slot | undefined;
  private countedSlice: number | undefined;

  constructor(
    private readonly parts: LimitParts,
    private readonly apiKey: LimitedKey | undefined,
  ) {}

  /** Counts the request, or throws RATE_LIMITED. */
  async count(): Promise<void> {
    if (this.apiKey) await this.countFor(this.apiKey);
  }

  /** Counts the request and takes a slot, or throws. The work that follows needs Redis, with a key or without. */
  async take(): Promise<void> {
    this.parts.redisAccess.require();
    if (!this.apiKey) return;
    await this.countFor(this.apiKey);
    try {
      this.slot = await this.takeSlot(this.apiKey);
    } catch (error) {
      this.refund();
      throw error;
    }
  }

  /**
   * Uncounts the request and releases its slot, if it has them. Does not wait for Redis: where that hangs, the count
   * expires with its minute and the slot with its lease.
   */
  refund(): void {
    this.slot?.release();
    if (this.apiKey && this.countedSlice !== undefined) {
      this.parts.rate.refund(this.apiKey.callerId, this.countedSlice).catch(() => {});
    }
    this.countedSlice = undefined;
  }

  private async countFor({ callerId, ratePerMinute }: LimitedKey): Promise<void> {
    const { rate, redisAccess, defaults } = this.parts;
    const limit = ratePerMinute ?? defaults.ratePerMinute;
    const counted = await redisAccess.run(() => rate.count(callerId, limit));
    this.quota = counted;
    this.countedSlice = counted.slice;
    if (counted.slice !== undefined) return;
    const { nextMs } = counted;
    throw new LimitExceeded('RATE_LIMITED', `This key may ask ${limit} times a minute`, {
      retryAfterSeconds: retryAfterSeconds(nextMs, nextMs * SPREAD_OF_WAIT),
    });
  }

  private async takeSlot({ callerId, maxConcurrent }: LimitedKey): Promise<Slot> {
    const { slots, redisAccess, defaults, capacities } = this.parts;
    const limit = maxConcurrent ?? defaults.maxConcurrent;
    const slot = await redisAccess.run(() => slots.take(redisKeys.requestSlots(callerId), limit));
    if (slot) return slot;
    const workers = await capacities.get().catch(() => []);
    const serviceMs = averageServiceMs(workers) ?? USUAL_SERVICE_MS;
    throw new LimitExceeded(
      'TOO_MANY_CONCURRENT',
      `This key may have ${limit} questions and searches open at once`,
      // On average, one of `limit` runs ends in every `serviceMs / limit`.
      { retryAfterSeconds: retryAfterSeconds(serviceMs / limit, serviceMs) },
    );
  }
}
