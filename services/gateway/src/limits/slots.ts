import { randomUUID } from 'node:crypto';
import { LuaScript } from '@quire/shared/redis';
import { PeriodicTask, timeBudgets, within } from '@quire/shared/time';
import type { Redis } from 'ioredis';

const leaseScript = new LuaScript<number>(new URL('lease-slot.lua', import.meta.url));
const RENEW = -1;
const RELEASE_LIMIT_MS = timeBudgets.stop.disconnectMs;

/** How long a slot outlives its gateway, and how often a gateway renews its slots. */
export type LeaseTimes = typeof timeBudgets.slotLease;

export interface Slot {
  /** A second call is a no-op. */
  release(): void;
}

/** Slots that all gateways share. Each is leased, so that those of a gateway that dies expire. */
export class Slots {
  private readonly held = new Map<string, string>();
  /** Renews the leases of the slots that are held. */
  readonly renewal: PeriodicTask;

  constructor(
    private readonly redis: Redis,
    private readonly times: LeaseTimes = timeBudgets.slotLease,
  ) {
    this.renewal = new PeriodicTask(times.renewEveryMs, async () => this.renew());
  }

  /** Returns undefined when all slots are taken. */
  async take(key: string, limit: number): Promise<Slot | undefined> {
    const slot = randomUUID();
    if ((await this.lease(key, slot, limit)) === 0) return undefined;
    this.held.set(slot, key);
    return {
      release: () => {
        // If the command fails, the lease expires.
        if (this.held.delete(slot)) this.redis.zrem(key, slot).catch(() => {});
      },
    };
  }

  /**
   * For a gateway that stops: its runs go on, and their slots must not keep callers out elsewhere. Does not wait long
   * for a Redis that hangs: the leases expire as well.
   */
  async releaseAll(): Promise<void> {
    const held = [...this.held];
    this.held.clear();
    await within(RELEASE_LIMIT_MS, Promise.allSettled(held.map(([slot, key]) => this.redis.zrem(key, slot))));
  }

  /** Does not wait for the commands: a renewal that fails is made up for by the next, two of which fit into a lease. */
  private renew(): void {
    for (const [slot, key] of this.held) this.lease(key, slot, RENEW).catch(() => {});
  }

  private lease(key: string, slot: string, limit: number): Promise<number> {
    return leaseScript.run(this.redis, [key], [slot, limit, this.times.leaseMs]);
  }
}
