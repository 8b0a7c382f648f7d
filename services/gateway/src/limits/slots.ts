import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { timeBudgets } from '@quire/shared/time';
import type { Redis } from 'ioredis';

/**
 * KEYS[1] the slots taken, scored by when their leases end; ARGV: slot, limit, lease in ms. With limit -1 a slot that
 * is held is renewed, and taken again where Redis has lost it. By the clock of Redis, which all gateways share.
 */
const leaseLua = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local limit = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if limit >= 0 and redis.call('ZCARD', KEYS[1]) >= limit then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`;
const RENEW = -1;
const GIVE_BACK_LIMIT_MS = timeBudgets.stop.disconnectMs;

interface WithLease {
  quireLease(key: string, slot: string, limit: number, leaseMs: number): Promise<number>;
}

/** How long a slot outlives its gateway, and how often a gateway that lives says so. */
export interface LeaseTimes {
  leaseMs: number;
  renewEveryMs: number;
}

export const defaultLeaseTimes: LeaseTimes = timeBudgets.slotLease;

/** Places that many gateways share: each is leased, so that those of a gateway that dies come back by themselves. */
export class Slots {
  private readonly held = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly times: LeaseTimes = defaultLeaseTimes,
  ) {
    redis.defineCommand('quireLease', { numberOfKeys: 1, lua: leaseLua });
  }

  start(): void {
    this.timer ??= setInterval(() => this.renew(), this.times.renewEveryMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Answers how to give the slot back, or nothing when all are taken. */
  async take(key: string, limit: number): Promise<(() => void) | undefined> {
    const slot = randomUUID();
    if ((await this.lease(key, slot, limit)) === 0) return undefined;
    this.held.set(slot, key);
    return () => {
      if (!this.held.delete(slot)) return;
      // Where Redis does not hear it, the lease runs out.
      this.redis.zrem(key, slot).catch(() => {});
    };
  }

  /**
   * For a gateway that stops: what it has let in goes on elsewhere, and must not keep its callers out. Where Redis
   * hangs it does not wait for long, for the leases run out as well.
   */
  async giveAllBack(): Promise<void> {
    const held = [...this.held];
    this.held.clear();
    const told = Promise.allSettled(held.map(([slot, key]) => this.redis.zrem(key, slot)));
    await Promise.race([told, sleep(GIVE_BACK_LIMIT_MS, undefined, { ref: false })]);
  }

  private renew(): void {
    // A renewal that fails is made up for by the next one, two of which fit into a lease.
    for (const [slot, key] of this.held) this.lease(key, slot, RENEW).catch(() => {});
  }

  private lease(key: string, slot: string, limit: number): Promise<number> {
    return (this.redis as Redis & WithLease).quireLease(key, slot, limit, this.times.leaseMs);
  }
}
