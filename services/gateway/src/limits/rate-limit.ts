import { LuaScript, redisKeys } from '@quire/shared/redis';
import type { Redis } from 'ioredis';

/** How long a counted request counts, and in how many slices of that time requests are counted together. */
const minute = { windowMs: 60_000, slices: 60 };
export type RateWindow = typeof minute;
export const WINDOW_SECONDS = minute.windowMs / 1000;

type CountReply = [counted: number, remaining: number, slice: number, nextMs: number, resetMs: number];

const script = (name: string) => new URL(`${name}.lua`, import.meta.url);
const countScript = new LuaScript<CountReply>(script('count-request'));
const refundScript = new LuaScript<null>(script('refund-request'));

/** What is left of a caller's requests in the window that ends now. */
export interface Quota {
  limit: number;
  remaining: number;
  /** Until one more request is accepted; 0 if one would be now. */
  nextMs: number;
  /** Until all requests of the limit are left again, if the caller makes none meanwhile. */
  resetMs: number;
}

/** `slice` is where the request was counted; undefined if the limit is exceeded. */
export type Counted = Quota & { slice: number | undefined };

/** Requests of each caller in any window of a minute, counted for all gateways together. */
export class RateLimit {
  private readonly sliceMs: number;

  constructor(
    private readonly redis: Redis,
    private readonly window = minute,
  ) {
    this.sliceMs = window.windowMs / window.slices;
  }

  /** Counts a request unless the limit is reached. The limit may be another one each time. */
  async count(callerId: string, limit: number): Promise<Counted> {
    const [counted, remaining, slice, nextMs, resetMs] = await countScript.run(
      this.redis,
      [redisKeys.requestRate(callerId)],
      [limit, this.sliceMs, this.window.slices],
    );
    return { limit, remaining, nextMs, resetMs, slice: counted === 1 ? slice : undefined };
  }

  /** Uncounts a request of this slice. */
  async refund(callerId: string, slice: number): Promise<void> {
    await refundScript.run(this.redis, [redisKeys.requestRate(callerId)], [slice]);
  }
}
