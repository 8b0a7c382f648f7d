import { redisKeys } from '@quire/shared/redis';
import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export const WINDOW_SECONDS = 60;

/** What is left of a caller's requests in the minute that began with the first of them. */
export interface Quota {
  limit: number;
  remaining: number;
  resetMs: number;
  exceeded: boolean;
}

/** Requests a minute of each caller, counted for all gateways together. */
export class RateLimit {
  /** One for each limit in use: the library's limiters know one each. */
  private readonly limiters = new Map<number, RateLimiterRedis>();

  constructor(private readonly redis: Redis) {}

  async take(callerId: string, limit: number): Promise<Quota> {
    try {
      return quotaOf(limit, await this.limiter(limit).consume(redisKeys.requestRate(callerId)));
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return { ...quotaOf(limit, refused), exceeded: true };
      throw refused;
    }
  }

  async giveBack(callerId: string, limit: number): Promise<void> {
    await this.limiter(limit).reward(redisKeys.requestRate(callerId));
  }

  private limiter(points: number): RateLimiterRedis {
    const known = this.limiters.get(points);
    if (known) return known;
    const storeClient = this.redis;
    const made = new RateLimiterRedis({ storeClient, points, duration: WINDOW_SECONDS, keyPrefix: '' });
    this.limiters.set(points, made);
    return made;
  }
}

const quotaOf = (limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): Quota => ({
  limit,
  remaining: remainingPoints,
  resetMs: msBeforeNext,
  exceeded: false,
});
